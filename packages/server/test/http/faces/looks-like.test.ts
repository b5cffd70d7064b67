import { endpoints } from '@wajah/contract';
import { beforeEach, expect, it } from 'vitest';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);

let client: TestClient;
beforeEach(async () => {
  client = await server.client();
  expect((await client.enrol('ani', pictures.ani)).http).toBe(200);
});

const people = async () => {
  const { body } = await client.call(endpoints.listFaces, { facegallery_id: client.gallery });
  return (body.faces as { user_id: string; user_name: string }[]).map(
    (one) => `${one.user_id} ${one.user_name}`,
  );
};

const described = async (user_id: string) => {
  const who = { facegallery_id: client.gallery, user_id };
  const { refusals } = (await client.call(endpoints.listRefusals, who)).body;
  return { ...(await client.call(endpoints.describeFace, who)).body, refusals };
};

/** The remedies of a sentence: what `send` is followed by, for the same person and for different people. */
const remediesOf = (detail: string) => detail.split('; ').slice(1);

it('a face that looks like an enrolled one is a resemblance: no sentence says that it is that person, or to delete one', async () => {
  const { http, body } = await client.enrol('twin', pictures.aniAgain, {
    check_duplicate: true,
    details: true,
  });
  expect(http).toBe(409);
  expect(body).toMatchObject({
    status: '409',
    status_message: 'face already enrolled',
    error: 'faceEnrolled',
    duplicate_user_id: 'ani',
    face: { box: { width: expect.any(Number) } },
    found: 1,
  });
  expect(body.detail).toMatch(
    /^image: this face looks like that of user_id "ani" \(similarity 0\.\d{4}, threshold 0\.6250\), which does not prove/,
  );
  expect(body.detail).not.toMatch(/delete|already/);
  expect(remediesOf(body.detail)).toEqual([
    'same person: send that user_id with its user_name and append: true to add the picture',
    'different people: send check_duplicate: false to enrol this one too',
  ]);
  expect(await people()).toEqual(['ani name of ani']);
});

it('who obeys it for the same person adds the picture, and loses nothing', async () => {
  const { body } = await client.enrol('twin', pictures.aniAgain, { check_duplicate: true });
  const theirs = await described(body.duplicate_user_id);
  const fields = { user_name: theirs.user_name, append: true, check_duplicate: true };
  expect((await client.enrol(body.duplicate_user_id, pictures.aniAgain, fields)).http).toBe(200);
  expect(await people()).toEqual(['ani name of ani']);
  expect(await described('ani')).toMatchObject({ n_picture: 2, refusals: [] });
});

it('who obeys it for different people enrols both', async () => {
  await client.enrol('twin', pictures.aniAgain, { check_duplicate: true });
  expect((await client.enrol('twin', pictures.aniAgain, { check_duplicate: false })).http).toBe(200);
  expect(await people()).toEqual(['ani name of ani', 'twin name of twin']);
  expect(await described('ani')).toMatchObject({ n_picture: 1, refusals: [] });
});

it('a user_id that is taken: each remedy of its sentence works', async () => {
  const { body } = await client.enrol('ani', pictures.budi);
  expect(remediesOf(body.detail)).toEqual([
    'same person: send if_exists: append to add this picture, or replace_same to replace what is enrolled, which another face does not',
    'another person: send another user_id',
  ]);
  for (const [user_id, image, fields] of [
    ['ani', pictures.aniAgain, { if_exists: 'append' }],
    ['ani', pictures.aniAgain, { if_exists: 'replace_same' }],
    ['budi', pictures.budi, {}],
  ] as const) {
    expect((await client.enrol(user_id, image, fields)).http).toBe(200);
  }
});

it('with details, a user_id that is taken tells how alike the picture is: 1 for one that is enrolled', async () => {
  expect((await client.enrol('ani', pictures.aniAgain, { append: true })).http).toBe(200);
  const similarityOf = async (image: string) => {
    const { http, body } = await client.enrol('ani', image, { details: true, check_duplicate: true });
    expect([http, body.error]).toEqual([409, 'userEnrolled']);
    expect(body).toMatchObject({ found: 1, face: { box: { width: expect.any(Number) } } });
    return body.similarity as number;
  };
  expect(await similarityOf(pictures.ani)).toBe(1);
  expect(await similarityOf(pictures.aniAgain)).toBe(1);
  expect(await similarityOf(pictures.budi)).toBeLessThan(0.625);
  // A picture of somebody else is none of this person's history.
  expect(await described('ani')).toMatchObject({ n_picture: 2, refusals: [] });
  // Who is suspended is compared with nobody.
  await client.call(endpoints.suspendPerson, { facegallery_id: client.gallery, user_id: 'ani' });
  const { body } = await client.enrol('ani', pictures.ani, { details: true });
  expect([body.error, body.similarity]).toEqual(['userSuspended', undefined]);
});
