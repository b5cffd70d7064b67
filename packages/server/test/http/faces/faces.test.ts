import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../support/requests.ts';
import { drawPictures, startTestApp } from '../../support/test-app.ts';

const [server, pictures] = await Promise.all([startTestApp(), drawPictures()]);
const client = await server.client();
const facegallery_id = client.gallery;
for (const [user_id, image] of [
  ['ani', pictures.ani],
  ['budi', pictures.budi],
]) {
  const user_name = `Name of ${user_id}`;
  expect((await client.enrol(user_id!, image!, { user_name })).body.status).toBe('200');
}

const ok = { status: '200', status_message: 'Success' };

describe('verify-face', () => {
  const verify = async (user_id: string, image: string) =>
    (await client.call(endpoints.verifyFace, { user_id, facegallery_id, image })).body;

  it('verifies the person under other light and tilt', async () => {
    const { similarity, ...rest } = await verify('ani', pictures.aniAgain);
    expect(rest).toEqual({
      ...ok,
      user_name: 'Name of ani',
      masker: false,
      verified: true,
      threshold: server.context.engine.threshold,
    });
    expect(similarity).toBeGreaterThan(0.625);
  });

  it('answers verified false for somebody else, with status 200', async () => {
    expect(await verify('budi', pictures.aniAgain)).toEqual({
      ...ok,
      user_name: 'Name of budi',
      similarity: expect.any(Number),
      masker: false,
      verified: false,
      threshold: server.context.engine.threshold,
    });
  });

  it('detects a mask', async () => {
    const masked = await base64(drawnFace({ person: 'ani', mask: true }));
    expect((await verify('ani', masked)).masker).toBe(true);
  });
});

describe('identify-face', () => {
  it('answers a picture without a face where the call allows that, and has no refused call of it', async () => {
    const camera = await server.client();
    await camera.enrol('ani', pictures.ani);
    const seen = { facegallery_id: camera.gallery, image: pictures.nobody };
    const { identifyFace, listRefusals, getActivity } = endpoints;
    expect((await camera.call(identifyFace, seen)).body.status).toBe('412');
    const nobody = { ...ok, status_description: 'Face Not Registered', return: [], found: 0 };
    expect((await camera.call(identifyFace, { ...seen, allow_no_face: true })).body).toEqual(nobody);
    const several = await camera.call(identifyFace, { ...seen, allow_no_face: true, faces: 5 });
    expect(several.body).toEqual({ ...nobody, faces: [], threshold: expect.any(Number) });
    const { image, ...rest } = seen;
    const series = { ...rest, images: [image, image], allow_no_face: true };
    expect((await camera.call(identifyFace, series)).body).toEqual(nobody);
    expect((await camera.call(listRefusals)).body.refusals).toHaveLength(1);
    const { days } = (await camera.call(getActivity)).body;
    expect(days.at(-1)).toMatchObject({ errors: 1 });
    // What is wrong otherwise is refused as before.
    const faulty = { ...series, images: [image, 'AAAA'] };
    expect((await camera.call(identifyFace, faulty)).body.status).not.toBe('200');
    const elsewhere = { ...seen, facegallery_id: 'none', allow_no_face: true };
    expect((await camera.call(identifyFace, elsewhere)).body.error).toBe('galleryNotFound');
    const known = { ...seen, image: pictures.aniAgain, allow_no_face: true };
    expect((await camera.call(identifyFace, known)).body.return).toMatchObject([{ user_id: 'ani' }]);
  });

  it('finds one person, with the fields of the specification', async () => {
    const fields = { facegallery_id, image: pictures.aniAgain };
    const { body } = await client.call(endpoints.identifyFace, fields);
    expect(body).toEqual({
      ...ok,
      status_description: 'Face Recognition Success',
      return: [
        { confidence_level: expect.any(Number), mask: false, user_id: 'ani', user_name: 'Name of ani' },
      ],
    });
  });

  it('finds no more than top_k', async () => {
    const fields = { facegallery_id, image: pictures.aniAgain };
    const { body } = await client.call(endpoints.identifyFace, { ...fields, top_k: '10' });
    expect(body.return[0].user_id).toBe('ani');
  });
});

describe('compare-images', () => {
  it('compares without storing', async () => {
    const compare = async (source_image: string, target_image: string) =>
      (await client.call(endpoints.compareImages, { source_image, target_image })).body;
    const { ani, aniAgain, budi } = pictures;
    const { threshold } = server.context.engine;
    expect(await compare(ani, ani)).toEqual({
      ...ok,
      similarity: 1,
      verified: true,
      masker: false,
      threshold,
    });
    expect(await compare(ani, aniAgain)).toMatchObject({ verified: true });
    expect(await compare(ani, budi)).toMatchObject({ ...ok, verified: false });
    const masked = await base64(drawnFace({ person: 'ani', mask: true }));
    for (const pair of [[ani, masked] as const, [masked, ani] as const])
      expect(await compare(...pair)).toMatchObject({ masker: true });
  });
});

describe('enroll-face-ktp', () => {
  it('takes a selfie with the card, or the card as a picture of its own', async () => {
    const user = { user_name: 'Card', facegallery_id };
    for (const [user_id, more] of [
      ['one-picture', { image: pictures.withCard }],
      ['two-pictures', { image: pictures.ani, ktp_image: pictures.aniAgain, minimum_similarity: '0.5' }],
    ] as const) {
      const { body } = await client.call(endpoints.enrolFaceKtp, { ...user, user_id, ...more });
      expect(body).toEqual({ ...ok, masker: false, similarity: expect.any(Number) });
      await client.call(endpoints.deleteFace, { user_id, facegallery_id });
    }
  });

  it('names the missing face if there is only one', async () => {
    const user = { user_id: 'alone', user_name: 'Alone', facegallery_id };
    const { body } = await client.call(endpoints.enrolFaceKtp, { ...user, image: pictures.ani });
    expect(body).toMatchObject({ status: '412', detail: expect.stringMatching(/card/) });
  });
});

describe('list-faces', () => {
  it('lists all faces by user_id, or page by page', async () => {
    const list = async (more: object = {}) =>
      (await client.call(endpoints.listFaces, { facegallery_id, ...more })).body;
    const [ani, budi] = ['ani', 'budi'].map((user_id) => ({ user_id, user_name: `Name of ${user_id}` }));
    expect(await list()).toEqual({ ...ok, faces: [ani, budi] });
    const first = await list({ limit: '1' });
    expect(first).toEqual({ ...ok, faces: [ani], next_cursor: expect.any(String) });
    const second = await list({ limit: 1, cursor: first.next_cursor });
    expect(second.faces).toEqual([budi]);
    for (const cursor of ['*', 'YQ=='])
      expect(await list({ cursor })).toMatchObject({
        status: '400',
        detail: expect.stringMatching(/^cursor/),
      });
  });
});

describe('a threshold of the call', () => {
  it('decides verify-face, compare-images and identify-face', async () => {
    const { ani, aniAgain, budi } = pictures;
    const verify = async (point: object) => {
      const fields = { user_id: 'ani', facegallery_id, image: budi, ...point };
      return (await client.call(endpoints.verifyFace, fields)).body;
    };
    const usual = server.context.engine.threshold;
    const { similarity, verified, threshold } = await verify({});
    expect([verified, threshold]).toEqual([false, usual]);
    expect(await verify({ threshold: similarity })).toMatchObject({
      verified: true,
      similarity,
      threshold: similarity,
    });
    expect(await verify({ threshold: String(similarity + 0.01) })).toMatchObject({ verified: false });
    const far = 10 ** ((0.25 - similarity) / 0.125);
    if (far < 0.5) expect(await verify({ far: far * 1.1 })).toMatchObject({ verified: true });
    expect(await verify({ far: '1e-6' })).toMatchObject({ verified: false });

    const compare = async (point: object) =>
      (await client.call(endpoints.compareImages, { source_image: ani, target_image: budi, ...point })).body;
    expect(await compare({})).toMatchObject({ verified: false, threshold: usual });
    expect(await compare({ threshold: '0' })).toMatchObject({ verified: true, threshold: 0 });
    expect(await compare({ far: 1e-4 })).toMatchObject({ threshold: 0.75 });

    const identify = async (point: object) =>
      (await client.call(endpoints.identifyFace, { facegallery_id, image: aniAgain, top_k: 5, ...point }))
        .body;
    expect((await identify({})).return).toHaveLength(1);
    expect((await identify({ threshold: 0 })).return).toHaveLength(2);
  });

  it('is refused together with a rate', async () => {
    const point = { far: 1e-3, threshold: 0.5 };
    const fields = { user_id: 'ani', facegallery_id, image: pictures.ani, ...point };
    const { body } = await client.call(endpoints.verifyFace, fields);
    expect([body.status, body.detail]).toEqual(['400', expect.stringMatching(/^far: threshold was sent/)]);
  });
});
