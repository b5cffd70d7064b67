import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { sharedEngine } from '../../../../engine/test/support/shared-engine.ts';
import { drawPictures, startTestApp, type TestClient } from '../../support/test-app.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { webhooksOf } from '../../support/webhooks.ts';

const [server, receiver, pictures] = await Promise.all([
  startTestApp({
    WAJAH_KEEP_FACE_CROPS: 'gallery',
    WAJAH_WEBHOOKS: 'true',
    WAJAH_WEBHOOK_NETWORKS: '127.0.0.1',
  }),
  startReceiver(),
  drawPictures(),
]);

/** A client whose gallery keeps crops. */
async function keepingClient(app = server): Promise<TestClient> {
  const client = await app.client();
  const kept = await client.call(endpoints.updateGallery, {
    facegallery_id: client.gallery,
    keep_crops: true,
  });
  expect(kept.body).toMatchObject({ status: '200', keep_crops: true });
  return client;
}

async function enrolled(client: TestClient, user_id: string, image: string, fields: object = {}) {
  expect((await client.enrol(user_id, image, fields)).body).toMatchObject({ status: '200' });
}

const inGallery = (client: TestClient, fields: object = {}) => ({
  facegallery_id: client.gallery,
  ...fields,
});

const picturesOf = async (client: TestClient, user_id: string) =>
  (await client.call(endpoints.getFacePictures, inGallery(client, { user_id }))).body.pictures as {
    picture_id: string;
    image: string | null;
  }[];

const countCrops = () => server.context.store.crops.count();

async function recordsOf(client: TestClient, event: string) {
  const records = await server.context.store.audit.list({ limit: 1000, clientId: client.id, event });
  return records.map(({ facts }) => facts);
}

async function sizeOf(image: string) {
  const request = { attributes: [], maxFaces: 1, search: 'fast' } as const;
  const analysis = await (await sharedEngine()).analyze(Buffer.from(image, 'base64'), request);
  return analysis.image;
}

describe('a gallery', () => {
  it('keeps crops where that is chosen, and the operator allows it', async () => {
    const client = await server.client();
    const described = async () => (await client.call(endpoints.describeGalleries)).body;
    expect(await described()).toMatchObject({
      face_crops: 'optional',
      facegalleries: [{ keep_crops: false }],
    });
    await enrolled(client, 'ani', pictures.ani);
    const before = await countCrops();
    const faces = { facegallery_id: 'faces', keep_crops: true };
    expect((await client.call(endpoints.createGallery, faces)).http).toBe(200);
    expect((await described()).facegalleries).toMatchObject([
      { facegallery_id: client.gallery, keep_crops: false },
      { facegallery_id: 'faces', keep_crops: true },
    ]);
    await enrolled(client, 'ani', pictures.ani, { facegallery_id: 'faces' });
    const card = { user_id: 'card', user_name: 'C', image: pictures.withCard };
    for (const facegallery_id of ['faces', client.gallery])
      expect((await client.call(endpoints.enrolFaceKtp, { ...card, facegallery_id })).http).toBe(200);
    expect(await countCrops()).toBe(before + 2);
  });

  it('loses its crops for good when it is to keep none, also those of calls that are under way', async () => {
    const client = await keepingClient();
    await enrolled(client, 'ani', pictures.ani);
    const before = await countCrops();
    const under = client.enrol('budi', pictures.budi);
    const off = { facegallery_id: client.gallery, keep_crops: false };
    expect((await client.call(endpoints.updateGallery, off)).body).toMatchObject({ keep_crops: false });
    expect((await under).http).toBe(200);
    expect(await countCrops()).toBe(before - 1);
    const { body } = await client.call(endpoints.listFaces, inGallery(client, { details: true }));
    expect(body.faces).toMatchObject([
      { user_id: 'ani', has_crop: false },
      { user_id: 'budi', has_crop: false },
    ]);
    expect(await recordsOf(client, 'gallery_changed')).toContainEqual({
      facegallery_id: client.gallery,
      what: 'keepCrops',
    });
  });

  it('is refused crops that the operator forbids, and keeps them by default where they are on', async () => {
    const forbidding = await startTestApp({ WAJAH_KEEP_FACE_CROPS: 'false' });
    const client = await forbidding.client();
    const wanted = { facegallery_id: 'faces', keep_crops: true };
    const { http, body } = await client.call(endpoints.createGallery, wanted);
    expect([http, body.error]).toEqual([403, 'cropsForbidden']);
    expect((await client.call(endpoints.createGallery, { ...wanted, keep_crops: false })).http).toBe(200);
    const update = { facegallery_id: client.gallery, keep_crops: true };
    expect((await client.call(endpoints.updateGallery, update)).body.error).toBe('cropsForbidden');
    expect((await client.call(endpoints.describeGalleries)).body.face_crops).toBe('forbidden');

    const keeping = await startTestApp({ WAJAH_KEEP_FACE_CROPS: 'true' });
    const other = await keeping.client();
    await other.call(endpoints.createGallery, { facegallery_id: 'none', keep_crops: false });
    const { body: all } = await other.call(endpoints.describeGalleries);
    expect(all).toMatchObject({
      face_crops: 'kept',
      facegalleries: [{ keep_crops: true }, { keep_crops: false }],
    });
    await enrolled(other, 'ani', pictures.ani, { facegallery_id: 'none' });
    expect(await keeping.context.store.crops.count()).toBe(0);
  });
});

describe('faces of people', () => {
  it('are small, of many at once and one record, and of nobody without a crop', async () => {
    const client = await keepingClient();
    await enrolled(client, 'ani', pictures.ani);
    await enrolled(client, 'budi', pictures.budi);
    const request = inGallery(client, { user_ids: ['budi', 'nobody', 'ani'] });
    const { http, body } = await client.call(endpoints.getFaceThumbnails, request);
    expect(http).toBe(200);
    expect(body.faces).toMatchObject([
      { user_id: 'budi' },
      { user_id: 'nobody', image: null },
      { user_id: 'ani' },
    ]);
    for (const { image } of [body.faces[0], body.faces[2]]) {
      const size = await sizeOf(image);
      expect(Math.max(size.width, size.height)).toBe(160);
      expect(image.length).toBeLessThan(16_000);
    }
    const shown = { facegallery_id: client.gallery, crops: 2 };
    await expect.poll(() => recordsOf(client, 'crop_shown')).toEqual([shown]);
    // Nothing is shown of those who have none, and nothing is recorded.
    const none = { ...request, user_ids: ['nobody'] };
    expect((await client.call(endpoints.getFaceThumbnails, none)).body.faces).toEqual([
      { user_id: 'nobody', image: null },
    ]);
    await server.context.events.settled();
    expect(await recordsOf(client, 'crop_shown')).toHaveLength(1);
    expect(await recordsOf(client, 'refused')).toEqual([]);
  });

  it('are of a bounded list', async () => {
    const client = await keepingClient();
    for (const user_ids of [undefined, 'ani', [], [''], Array.from({ length: 51 }, (_, i) => `u${i}`)]) {
      const { http, body } = await client.call(endpoints.getFaceThumbnails, inGallery(client, { user_ids }));
      expect([http, body.detail]).toEqual([400, expect.stringMatching(/^user_ids/)]);
    }
  });

  it('tell whether a crop is kept, in lists and of one', async () => {
    const client = await server.client();
    await enrolled(client, 'before', pictures.budi);
    await client.call(endpoints.updateGallery, inGallery(client, { keep_crops: true }));
    await enrolled(client, 'ani', pictures.ani);
    const list = (fields: object) => client.call(endpoints.listFaces, inGallery(client, fields));
    const known = [
      { user_id: 'ani', has_crop: true },
      { user_id: 'before', has_crop: false },
    ];
    expect((await list({ details: true })).body.faces).toMatchObject(known);
    expect((await list({})).body.faces[0]).not.toHaveProperty('has_crop');
    for (const { user_id, has_crop } of known) {
      const { body } = await client.call(endpoints.describeFace, inGallery(client, { user_id }));
      expect(body.has_crop).toBe(has_crop);
    }
  });
});

describe('the pictures of a person', () => {
  it('are listed with their faces, shown large one by one, and deleted but for the last', async () => {
    const client = await keepingClient();
    await enrolled(client, 'ani', pictures.ani);
    await enrolled(client, 'ani', pictures.aniAgain, { append: true });
    const [first, second] = await picturesOf(client, 'ani');
    expect(first!.image).not.toBe(second!.image);
    const large = async (picture_id?: string) => {
      const fields = inGallery(client, { user_id: 'ani', ...(picture_id && { picture_id }) });
      return (await client.call(endpoints.getFaceCrop, fields)).body.image;
    };
    const shown = await Promise.all([large(first!.picture_id), large(second!.picture_id), large()]);
    expect(new Set(shown).size).toBe(2);
    expect(shown[2]).toBe(shown[1]);

    const remove = (picture_id: string, user_id = 'ani') =>
      client.call(endpoints.deleteFacePicture, inGallery(client, { user_id, picture_id }));
    await enrolled(client, 'budi', pictures.budi);
    expect((await remove(first!.picture_id, 'budi')).body.error).toBe('pictureNotFound');
    expect((await remove(first!.picture_id)).body).toMatchObject({ status: '200' });
    expect((await remove(first!.picture_id)).body).toMatchObject({ status: '415', error: 'pictureNotFound' });
    expect(await picturesOf(client, 'ani')).toEqual([second]);
    const { http, body } = await remove(second!.picture_id);
    expect([http, body.error]).toEqual([403, 'lastPicture']);
    expect(await picturesOf(client, 'ani')).toEqual([second]);
    expect(await recordsOf(client, 'face_changed')).toEqual([
      { facegallery_id: client.gallery, what: 'picture' },
    ]);
  });

  it('have no face where not each has a crop, and one crop is still shown', async () => {
    const client = await server.client();
    await enrolled(client, 'ani', pictures.ani);
    await client.call(endpoints.updateGallery, inGallery(client, { keep_crops: true }));
    await enrolled(client, 'ani', pictures.aniAgain, { append: true });
    expect((await picturesOf(client, 'ani')).map(({ image }) => image)).toEqual([null, null]);
    const one = await client.call(endpoints.getFaceCrop, inGallery(client, { user_id: 'ani' }));
    expect(one.http).toBe(200);
  });

  it('of two deletions at once one stays', async () => {
    const client = await keepingClient();
    await enrolled(client, 'ani', pictures.ani);
    await enrolled(client, 'ani', pictures.aniAgain, { append: true });
    const both = await picturesOf(client, 'ani');
    const answers = await Promise.all(
      both.map(({ picture_id }) =>
        client.call(endpoints.deleteFacePicture, inGallery(client, { user_id: 'ani', picture_id })),
      ),
    );
    expect(answers.map(({ body }) => body.error ?? body.status).sort()).toEqual(['200', 'lastPicture']);
    expect(await picturesOf(client, 'ani')).toHaveLength(1);
  });
});

describe('two people who are one', () => {
  it('are merged with all pictures, once, and endpoints are told of the one that is gone', async () => {
    const client = await keepingClient();
    await webhooksOf(server.context).create(client.id, receiver.url, ['face.erased']);
    await enrolled(client, 'ani', pictures.ani, { consent_reference: 'form-7' });
    await enrolled(client, 'ani-2', pictures.aniAgain);
    const kept = [...(await picturesOf(client, 'ani')), ...(await picturesOf(client, 'ani-2'))];
    const merge = (fields: object = {}) =>
      client.call(
        endpoints.mergeFaces,
        inGallery(client, { user_id: 'ani', other_user_id: 'ani-2', ...fields }),
      );
    expect((await merge({ user_id: 'nobody' })).body.status).toBe('415');
    expect((await merge({ other_user_id: 'ani' })).body.error).toBe('sameUserTwice');
    expect((await merge({ user_name: 'Ani Lestari' })).body).toMatchObject({ merged: true, n_picture: 2 });
    expect(await picturesOf(client, 'ani')).toEqual(kept);
    // Sent again: the answer may have been lost.
    expect((await merge()).body).toMatchObject({ status: '200', merged: false, n_picture: 2 });
    const { body } = await client.call(endpoints.describeFace, inGallery(client, { user_id: 'ani' }));
    expect(body).toMatchObject({ user_name: 'Ani Lestari', n_picture: 2, consent: { reference: 'form-7' } });
    const gone = await client.call(endpoints.describeFace, inGallery(client, { user_id: 'ani-2' }));
    expect(gone.body.status).toBe('415');
    for (const image of [pictures.ani, pictures.aniAgain]) {
      const found = await client.call(endpoints.identifyFace, inGallery(client, { image }));
      expect(found.body.return).toMatchObject([{ user_id: 'ani', user_name: 'Ani Lestari' }]);
    }
    await expect
      .poll(() => receiver.received.map(({ event }) => event))
      .toMatchObject([{ type: 'face.erased', data: { user_id: 'ani-2', reason: 'merged' } }]);
    const changes = await recordsOf(client, 'face_changed');
    expect(changes).toEqual([{ facegallery_id: client.gallery, what: 'merged' }]);
    const [gallery] = (await client.call(endpoints.describeGalleries)).body.facegalleries;
    expect(gallery.n_face).toBe(1);
  });

  it('are not while one is suspended', async () => {
    const client = await keepingClient();
    await enrolled(client, 'ani', pictures.ani);
    await enrolled(client, 'ani-2', pictures.aniAgain);
    await client.call(endpoints.suspendPerson, inGallery(client, { user_id: 'ani-2' }));
    const request = inGallery(client, { user_id: 'ani', other_user_id: 'ani-2' });
    expect((await client.call(endpoints.mergeFaces, request)).body.error).toBe('userSuspended');
    expect((await client.call(endpoints.listFaces, inGallery(client))).body.faces).toHaveLength(2);
  });
});
