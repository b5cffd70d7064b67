import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';

const [keeping, pictures] = await Promise.all([
  startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true' }),
  drawPictures(),
]);

const enrol = (client: TestClient, fields: object = {}) => client.enrol('ani', pictures.ani, fields);
const crop = (client: TestClient, fields: object = {}) =>
  client.call(endpoints.getFaceCrop, { user_id: 'ani', facegallery_id: client.gallery, ...fields });

/** The analysis of a returned crop. */
async function seenOn(image: string) {
  const bytes = Buffer.from(image, 'base64');
  const request = { attributes: ['embedding'], maxFaces: 4, search: 'fast' } as const;
  const { faces, image: size } = await (await sharedEngine()).analyze(bytes, request);
  return { faces, size };
}

describe('face crops', () => {
  it('are kept small with an enrolled face, and give a template of the same person', async () => {
    const client = await keeping.client();
    expect((await enrol(client)).body.status).toBe('200');
    const { http, body } = await crop(client);
    expect([http, body.status]).toEqual([200, '200']);
    const { faces, size } = await seenOn(body.image);
    expect(size.format).toBe('jpeg');
    expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(512);
    expect(faces).toHaveLength(1);
    const whole = await seenOn(pictures.ani);
    const engine = await sharedEngine();
    expect(engine.similarity(faces[0]!.embedding!, whole.faces[0]!.embedding!)).toBeGreaterThan(0.9);
  });

  it('show the picture that was appended last, or only that of the replacing face', async () => {
    const client = await keeping.client();
    await enrol(client);
    const first = (await crop(client)).body.image;
    await enrol(client, { append: true, image: pictures.aniAgain });
    const second = (await crop(client)).body.image;
    expect(second).not.toBe(first);
    const { id } = (await keeping.context.store.galleries.get(client.id, client.gallery))!;
    expect(await keeping.context.store.crops.get(id, 'ani')).toHaveLength(2);
    await enrol(client, { replace: true });
    expect((await crop(client)).body.image).toBe(first);
    expect(await keeping.context.store.crops.get(id, 'ani')).toHaveLength(1);
  });

  it('are kept of a picture that the person has already, where none is', async () => {
    const client = await keeping.client();
    const keep = (keep_crops: boolean) =>
      client.call(endpoints.updateGallery, { facegallery_id: client.gallery, keep_crops });
    const again = (image: string) => enrol(client, { append: true, image });
    await keep(false);
    await enrol(client);
    expect((await again(pictures.ani)).body.same_picture).toBe(true);
    expect((await crop(client)).http).toBe(403);
    await keep(true);
    expect((await again(pictures.ani)).body.same_picture).toBe(true);
    const { body } = await crop(client);
    const [{ faces }, whole] = [await seenOn(body.image), await seenOn(pictures.ani)];
    const engine = await sharedEngine();
    expect(engine.similarity(faces[0]!.embedding!, whole.faces[0]!.embedding!)).toBeGreaterThan(0.9);
    await again(pictures.ani);
    const { id } = (await keeping.context.store.galleries.get(client.id, client.gallery))!;
    expect(await keeping.context.store.crops.get(id, 'ani')).toHaveLength(1);
  });

  it('show the person, not the card, in an enrolment with a card', async () => {
    const client = await keeping.client();
    const card = { user_id: 'card', user_name: 'C', facegallery_id: client.gallery };
    expect((await client.call(endpoints.enrolFaceKtp, { ...card, image: pictures.withCard })).http).toBe(200);
    const { body } = await crop(client, { user_id: 'card' });
    const whole = await seenOn(pictures.withCard);
    const { faces } = await seenOn(body.image);
    const engine = await sharedEngine();
    expect(engine.similarity(faces[0]!.embedding!, whole.faces[0]!.embedding!)).toBeGreaterThan(0.9);
    const apart = { ...card, user_id: 'apart', image: pictures.ani, ktp_image: pictures.aniAgain };
    expect((await client.call(endpoints.enrolFaceKtp, apart)).http).toBe(200);
    expect((await crop(client, { user_id: 'apart' })).http).toBe(200);
  });

  it('are not kept of a refused face, and are erased with the face, the gallery and the client', async () => {
    const client = await keeping.client();
    const { store } = keeping.context;
    const before = await store.crops.count();
    expect((await enrol(client, { image: pictures.small })).body.status).toBe('413');
    expect(await store.crops.count()).toBe(before);
    await enrol(client);
    await client.call(endpoints.deleteFace, { user_id: 'ani', facegallery_id: client.gallery });
    expect((await crop(client)).body.status).toBe('415');
    expect(await store.crops.count()).toBe(before);
    await enrol(client);
    await client.call(endpoints.createGallery, { facegallery_id: 'other' });
    await enrol(client, { facegallery_id: 'other' });
    expect(await store.crops.count()).toBe(before + 2);
    await client.call(endpoints.deleteGallery, { facegallery_id: 'other' });
    expect(await store.crops.count()).toBe(before + 1);
    await client.call(endpoints.deleteClient);
    expect(await store.crops.count()).toBe(before);
  });

  it('are sealed for their user in the store and absent from logs; reading one is audited', async () => {
    const client = await keeping.client();
    await enrol(client);
    const { body } = await crop(client);
    const { store } = keeping.context;
    const { id } = (await store.galleries.get(client.id, client.gallery))!;
    const [kept] = await store.crops.get(id, 'ani');
    const jpeg = Buffer.from(body.image, 'base64');
    expect(Buffer.from(kept!).includes(jpeg.subarray(0, 8))).toBe(false);
    expect(kept!.length).toBe(jpeg.length + 17 + 29);
    expect(keeping.log()).not.toContain(body.image.slice(40, 80));
    expect(keeping.log()).toContain('"crop_shown"');
    // The audit trail is written after the answer.
    const facts = { facegallery_id: client.gallery };
    await expect
      .poll(() => store.audit.list({ limit: 20 }))
      .toContainEqual(expect.objectContaining({ event: 'crop_shown', clientId: client.id, facts }));
  });
});

describe('by default', () => {
  it('a gallery that was not asked for them keeps none, and reading one is refused; unknown users and galleries answer as elsewhere', async () => {
    const other = await startTestApp();
    const client = await other.client();
    await enrol(client);
    expect(await other.context.store.crops.count()).toBe(0);
    const { http, body } = await crop(client);
    expect([http, body.status]).toEqual([403, '403']);
    expect(body.detail).toMatch(/^user_id: no face crop is kept of this user.*WAJAH_KEEP_FACE_CROPS/);
    expect((await crop(client, { user_id: 'nobody' })).body.status).toBe('415');
    expect((await crop(client, { facegallery_id: 'none' })).body.status).toBe('416');
  });
});
