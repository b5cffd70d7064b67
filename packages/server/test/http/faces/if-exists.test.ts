import { endpoints } from '@wajah/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);

let client: TestClient;
beforeEach(async () => {
  client = await server.client();
  await client.enrol('ani', pictures.ani, { user_name: 'Ani Lestari' });
});

const again = async (image: string, fields: object) => (await client.enrol('ani', image, fields)).body;
const described = async () => {
  const who = { facegallery_id: client.gallery, user_id: 'ani' };
  const { refusals } = (await client.call(endpoints.listRefusals, who)).body;
  return { ...(await client.call(endpoints.describeFace, who)).body, refusals };
};
const matches = async (image: string) => {
  const who = { facegallery_id: client.gallery, user_id: 'ani' };
  return (await client.call(endpoints.verifyFace, { ...who, image })).body.verified;
};

describe('a user_id that is enrolled, by if_exists', () => {
  it('is refused by default and with refuse, gets a picture more with append, and another one with replace', async () => {
    for (const fields of [{}, { if_exists: 'refuse' }]) {
      expect(await again(pictures.budi, fields)).toMatchObject({ status: '409', error: 'userEnrolled' });
    }
    const appended = await again(pictures.aniAgain, { if_exists: 'append' });
    expect(appended).toMatchObject({ status: '200' });
    expect(appended).not.toHaveProperty('former_name');
    expect(await described()).toMatchObject({ n_picture: 2, user_name: 'Ani Lestari' });
    expect(await again(pictures.budi, { if_exists: 'append' })).toMatchObject({ status: '411' });
    const replaced = { status: '200', status_message: 'Success' };
    expect(await again(pictures.budi, { if_exists: 'Replace' })).toEqual(replaced);
    expect(await described()).toMatchObject({ n_picture: 1, user_name: 'name of ani' });
    expect(await matches(pictures.budi)).toBe(true);
  });

  it('says the same as the short forms, and nothing else beside them', async () => {
    expect(await again(pictures.aniAgain, { if_exists: 'append', append: true })).toMatchObject({
      status: '200',
    });
    const contradictions = [
      { if_exists: 'append', replace: true },
      { if_exists: 'refuse', append: true },
      { if_exists: 'replace_same', replace: true },
      { append: true, replace: true },
    ];
    for (const fields of contradictions)
      expect(await again(pictures.ani, fields)).toMatchObject({ status: '400', error: 'appendAndReplace' });
    expect(await again(pictures.ani, { if_exists: 'keep' })).toMatchObject({
      status: '400',
      detail: expect.stringMatching(/^if_exists: .*replace_same/),
    });
  });

  it('is replaced with replace_same by the same person alone, at the threshold of the gallery', async () => {
    await again(pictures.aniAgain, { if_exists: 'append' });
    const other = await again(pictures.budi, { if_exists: 'replace_same', force_register: true });
    expect(other).toMatchObject({
      status: '409',
      error: 'userEnrolled',
      same_person: false,
      threshold: 0.625,
    });
    expect(other.similarity).toBeLessThan(0.625);
    for (const field of ['former_name', 'same_picture', 'face']) expect(other).not.toHaveProperty(field);
    // A picture of somebody else is none of this person's history.
    expect(await described()).toMatchObject({ n_picture: 2, user_name: 'Ani Lestari', refusals: [] });
    const same = await again(pictures.aniAgain, { if_exists: 'replace_same', details: true });
    expect(same).toMatchObject({ status: '200', threshold: 0.625, former_name: 'Ani Lestari', found: 1 });
    expect(same.similarity).toBe(1);
    expect(same).not.toHaveProperty('same_picture');
    expect(await described()).toMatchObject({ n_picture: 1, user_name: 'name of ani' });
    await server.context.events.settled();
    const filter = { clientId: client.id, event: 'face_enrolled', limit: 1 };
    const [last] = await server.context.store.audit.list(filter);
    expect(last?.facts).toMatchObject({ replaced: true, appended: false });
    await client.call(endpoints.updateGallery, { facegallery_id: client.gallery, threshold: 1 });
    expect(await again(pictures.ani, { if_exists: 'replace_same' })).toMatchObject({
      same_person: false,
      threshold: 1,
    });
  });

  it('is enrolled with each of them where nobody is', async () => {
    for (const if_exists of ['refuse', 'append', 'replace', 'replace_same'])
      expect((await client.enrol(`new ${if_exists}`, pictures.budi, { if_exists })).body.status).toBe('200');
  });
});

it('the refusal of an enrolled user_id says, with details, whether it is the person, the picture and the name', async () => {
  const details = true;
  const refused = (image: string, user_name: string) => again(image, { details, user_name });
  const other = await refused(pictures.budi, 'Budi');
  expect(other).toMatchObject({ same_person: false, threshold: 0.625 });
  const named = await refused(pictures.ani, 'Maria');
  expect(named).toMatchObject({ same_person: true, same_picture: true, former_name: 'Ani Lestari' });
  expect(await refused(pictures.aniAgain, 'Maria')).toMatchObject({ former_name: 'Ani Lestari' });
  // Case and blanks make no name, and the user_id is none.
  for (const user_name of ['ANI  LESTARI', 'ani'])
    expect(await refused(pictures.ani, user_name)).not.toHaveProperty('former_name');
  // Whoever has no picture of the person learns no name.
  expect(other).not.toHaveProperty('former_name');
  expect(other).not.toHaveProperty('same_picture');
});

it('programs of the public cloud see none of it, and replace with force_register as there', async () => {
  const cloud = await startTestApp({ WAJAH_COMPAT: 'risetai' });
  const door = await cloud.client();
  const enrol = async (image: string, fields: object = {}) =>
    (await door.enrol('ani', image, { details: true, ...fields })).body.risetai;
  await enrol(pictures.ani);
  expect(Object.keys(await enrol(pictures.ani)).sort()).toEqual(
    expect.not.arrayContaining(['same_person', 'same_picture', 'former_name', 'threshold']),
  );
  expect(await enrol(pictures.budi, { force_register: true })).toMatchObject({ status: '200' });
  const same = await enrol(pictures.budi, { if_exists: 'replace_same', user_name: 'Budi' });
  expect(same).not.toHaveProperty('former_name');
});
