import { endpoints } from '@wajah/contract';
import { describe, expect, it, vi } from 'vitest';
import { drawnPicture } from '../../../../engine/test/drawn/drawn-face.ts';
import { startOnStore } from '../../../test/support/on-store.ts';
import { storeKinds } from '../../../test/support/postgres.ts';
import { base64 } from '../../../test/support/requests.ts';
import { runWajah } from '../../../test/support/run-wajah.ts';
import { drawPictures, startTestApp, type TestClient } from '../../../test/support/test-app.ts';
import { webhooksOf } from '../../../test/support/webhooks.ts';
import { hourMs } from '../../lib/time.ts';
import { createUnknownStore } from './store.ts';

const pictures = await drawPictures();

const of = (client: TestClient, fields: object = {}) => ({ facegallery_id: client.gallery, ...fields });
const identify = async (client: TestClient, image: string, fields: object = {}) =>
  (await client.call(endpoints.identifyFace, of(client, { image, ...fields }))).body;
const list = async (client: TestClient, fields: object = {}) =>
  (await client.call(endpoints.listUnknown, of(client, fields))).body;
const assign = (client: TestClient, fields: object) =>
  client.call(endpoints.assignUnknown, of(client, { user_name: 'Ani', ...fields }));

describe.each(storeKinds)('unknown people on %s', async (kind) => {
  const { server, env } = await startOnStore(kind, {
    WAJAH_KEEP_FACE_CROPS: 'gallery',
    WAJAH_WEBHOOKS: 'true',
  });
  const store = server.context.store.part('test', createUnknownStore);
  const sql = server.context.store.part('test', (db) => ({
    rows: () => db.all<object>('SELECT * FROM unknown_faces'),
    told: (client: string) =>
      db.all<{ payload: string }>('SELECT payload FROM webhook_deliveries WHERE client_id = $1', client),
  }));
  const { rows } = sql;
  const newClient = async (settings: object = { keep_unknown_hours: 24 }) => {
    const client = await server.client();
    const { body } = await client.call(endpoints.updateGallery, of(client, settings));
    expect(body).toMatchObject({ status: '200', ...settings });
    return client;
  };

  it('are kept by nobody who has not asked for it', async () => {
    const client = await server.client();
    const { facegalleries } = (await client.call(endpoints.describeGalleries)).body;
    expect(facegalleries[0]).toMatchObject({ keep_unknown_hours: null });
    const body = await identify(client, pictures.ani);
    expect(body.status).toBe('411');
    expect(body).not.toHaveProperty('unknown_id');
    expect((await list(client)).unknown).toEqual([]);
    for (const keep_unknown_hours of [0, 721, 1.5]) {
      const { body: refused } = await client.call(
        endpoints.updateGallery,
        of(client, { keep_unknown_hours }),
      );
      expect([refused.status, refused.detail]).toEqual(['400', expect.stringMatching(/^keep_unknown_hours/)]);
    }
  });

  it('are the same when they are seen again, and others when they are others', async () => {
    const client = await newClient();
    const first = await identify(client, pictures.ani);
    expect(first).toMatchObject({ status: '411', unknown_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const again = await identify(client, pictures.aniAgain, { faces: 3 });
    expect(again.faces[0]).toMatchObject({ outcome: 'not_identified', unknown_id: first.unknown_id });
    await client.enrol('citra', pictures.budi);
    expect(await identify(client, pictures.budi)).toMatchObject({ status: '200' });
    const { unknown, next_cursor } = await list(client);
    expect(unknown).toMatchObject([{ unknown_id: first.unknown_id, n_seen: 2, image: null }]);
    expect(next_cursor).toBeUndefined();
    const [{ first_seen_at, last_seen_at, expires_at }] = unknown;
    expect(Date.parse(last_seen_at)).toBeGreaterThan(Date.parse(first_seen_at));
    expect(Date.parse(expires_at) - Date.parse(first_seen_at)).toBe(24 * hourMs);
  });

  it('are none whose face shows too little or fails a quality rule', async () => {
    const client = await newClient();
    for (const image of [pictures.blurred, pictures.small]) {
      const body = await identify(client, image, { faces: 1 });
      expect([body.faces[0].outcome, body.faces[0].unknown_id]).toEqual(['not_identified', undefined]);
    }
    expect((await list(client)).unknown).toEqual([]);
  });

  it('are kept of several pictures as one that fails no quality rule shows them, whichever is the first', async () => {
    const { ani, small, blurred } = pictures;
    const shown = async (sent: object) => {
      const client = await newClient({ keep_unknown_hours: 24, keep_crops: true });
      const { body } = await client.call(endpoints.identifyFace, of(client, sent));
      expect(body).toMatchObject({ status: '411', error: 'galleryEmpty' });
      const { unknown } = await list(client);
      expect(unknown.map((one: { unknown_id: string }) => one.unknown_id)).toEqual(
        body.unknown_id === undefined ? [] : [body.unknown_id],
      );
      return unknown[0]?.image;
    };
    const image = await shown({ image: ani });
    expect(image).toEqual(expect.any(String));
    for (const images of [
      [ani, small],
      [small, ani],
      [blurred, small, ani],
    ])
      expect(await shown({ images })).toBe(image);
    expect(await shown({ images: [small, small] })).toBeUndefined();
  });

  it('are two in a picture of two', async () => {
    const client = await newClient();
    const faces = [200, 600].map((x) => ({ person: 'ani', x, y: 250, size: 200 }) as const);
    const image = await base64(drawnPicture({ width: 800, height: 500, faces }));
    const ids = (await identify(client, image, { faces: 2 })).faces.map(
      (one: { unknown_id?: string }) => one.unknown_id,
    );
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });

  it('are the same in calls at once', async () => {
    const client = await newClient();
    const sent = await Promise.all([
      identify(client, pictures.ani),
      identify(client, pictures.aniAgain),
      identify(client, pictures.budi),
    ]);
    const [one, same, other] = sent.map(({ unknown_id }) => unknown_id);
    expect([same === one, other === one]).toEqual([true, false]);
  });

  it('are shown where crops are kept, the last seen first, by pages', async () => {
    const client = await newClient({ keep_unknown_hours: 1, keep_crops: true });
    const ani = (await identify(client, pictures.ani)).unknown_id;
    const budi = (await identify(client, pictures.budi)).unknown_id;
    const page = await list(client, { limit: 1 });
    expect(page.unknown.map((one: { unknown_id: string }) => one.unknown_id)).toEqual([budi]);
    expect(Buffer.from(page.unknown[0].image, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8');
    const next = await list(client, { limit: 1, cursor: page.next_cursor });
    expect(next.unknown[0].unknown_id).toBe(ani);
    expect(next).not.toHaveProperty('next_cursor');
    expect(await list(client, { cursor: 'x' })).toMatchObject({ status: '400' });
    const crops = async () => (await rows()).filter((row) => 'crop' in row && row.crop !== null).length;
    const before = await crops();
    await client.call(endpoints.updateGallery, of(client, { keep_crops: false }));
    expect((await list(client)).unknown[0]).toMatchObject({ unknown_id: budi, image: null });
    await vi.waitFor(async () => expect(await crops()).toBe(before - 2));
  });

  it('become people by one call, with their crops, and are unknown no more', async () => {
    const client = await newClient({ keep_unknown_hours: 24, keep_crops: true });
    const { unknown_id } = await identify(client, pictures.ani);
    const { body } = await assign(client, { unknown_id, user_id: 'ani' });
    expect(body).toMatchObject({ status: '200', appended: false });
    expect((await list(client)).unknown).toEqual([]);
    const found = await identify(client, pictures.aniAgain);
    expect(found.return).toMatchObject([{ user_id: 'ani', user_name: 'Ani' }]);
    const described = await client.call(endpoints.describeFace, of(client, { user_id: 'ani' }));
    expect(described.body).toMatchObject({ has_crop: true });
    expect((await assign(client, { unknown_id, user_id: 'ani-2' })).body.status).toBe('415');
  });

  it('are added to people after the checks of an enrolment', async () => {
    const client = await newClient();
    const { unknown_id } = await identify(client, pictures.ani);
    await client.enrol('budi', pictures.budi);
    const differs = (await assign(client, { unknown_id, user_id: 'budi' })).body;
    expect([differs.status, differs.similarity < differs.threshold]).toEqual(['411', true]);
    await client.enrol('ani', pictures.aniAgain);
    const duplicate = (await assign(client, { unknown_id, user_id: 'somebody' })).body;
    expect(duplicate).toMatchObject({ status: '409', duplicate_user_id: 'ani' });
    const added = (await assign(client, { unknown_id, user_id: 'ani' })).body;
    expect(added).toMatchObject({ status: '200', appended: true });
    const described = (await client.call(endpoints.describeFace, of(client, { user_id: 'ani' }))).body;
    expect(described).toMatchObject({ user_name: 'name of ani', n_picture: 2 });
  });

  it('are not enrolled without a consent or a liveness token that the gallery requires', async () => {
    const client = await newClient();
    const { unknown_id } = await identify(client, pictures.ani);
    await client.call(endpoints.updateGallery, of(client, { require_consent: true }));
    expect((await assign(client, { unknown_id, user_id: 'ani' })).body.status).toBe('423');
    await client.call(
      endpoints.updateGallery,
      of(client, { require_consent: false, require_liveness: true }),
    );
    expect((await assign(client, { unknown_id, user_id: 'ani' })).body.status).toBe('421');
    await client.call(endpoints.updateGallery, of(client, { require_liveness: false }));
    const consented = { unknown_id, user_id: 'ani', consent_reference: 'form 7' };
    expect((await assign(client, consented)).body.status).toBe('200');
  });

  it('are assigned once by two calls at once, and nothing is left of the other', async () => {
    const client = await newClient();
    const { unknown_id } = await identify(client, pictures.ani);
    const calls = ['one', 'two'].map((user_id) => assign(client, { unknown_id, user_id }));
    const statuses = (await Promise.all(calls)).map(({ body }) => body.status).sort();
    // Whoever is second is refused as a duplicate, or finds nobody.
    expect(statuses[0]).toBe('200');
    expect(['409', '415']).toContain(statuses[1]);
    expect((await client.call(endpoints.listFaces, of(client))).body.faces).toHaveLength(1);
  });

  it('are none who are enrolled and suspended', async () => {
    const client = await newClient();
    await client.enrol('ani', pictures.ani);
    await client.call(endpoints.suspendPerson, { user_id: 'ani' });
    const body = await identify(client, pictures.aniAgain);
    expect([body.status, body.unknown_id]).toEqual(['411', undefined]);
    expect((await list(client)).unknown).toEqual([]);
  });

  it('are forgotten by a call, and when the gallery keeps none or their time has ended', async () => {
    const client = await newClient();
    const { unknown_id } = await identify(client, pictures.ani);
    const forget = (id: string) => client.call(endpoints.forgetUnknown, of(client, { unknown_id: id }));
    expect((await forget(unknown_id)).body.status).toBe('200');
    expect((await forget(unknown_id)).body).toMatchObject({ status: '415' });
    const next = (await identify(client, pictures.ani)).unknown_id;
    expect(next).not.toBe(unknown_id);
    await store.prune(new Date(Date.now() + 23 * hourMs), false);
    expect((await list(client)).unknown).toHaveLength(1);
    await store.prune(new Date(Date.now() + 24 * hourMs), false);
    expect((await list(client)).unknown).toEqual([]);
    await identify(client, pictures.ani);
    await client.call(endpoints.updateGallery, of(client, { keep_unknown_hours: null }));
    expect((await list(client)).unknown).toEqual([]);
    await client.call(endpoints.updateGallery, of(client, { keep_unknown_hours: 24 }));
    await vi.waitFor(async () => expect((await list(client)).unknown).toEqual([]));
  });

  it('go with their gallery, and no other client has them', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const { unknown_id } = await identify(client, pictures.ani);
    const { body } = await other.call(endpoints.forgetUnknown, of(other, { unknown_id }));
    expect(body.status).toBe('415');
    const before = (await rows()).length;
    await client.call(endpoints.deleteGallery, of(client));
    expect((await rows()).length).toBe(before - 1);
  });

  it('are told to webhooks, and in the audit trail by nothing that names them', async () => {
    const client = await newClient();
    const webhooks = webhooksOf(server.context);
    await webhooks.create(client.id, 'https://hooks.example/', ['face.unknown']);
    const { unknown_id } = await identify(client, pictures.ani);
    const sent = await sql.told(client.id);
    expect(sent.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { type: 'face.unknown', data: { facegallery_id: client.gallery, unknown_id, n_seen: 1 } },
    ]);
    await assign(client, { unknown_id, user_id: 'ani' });
    const events = async () => {
      const records = await server.context.store.audit.list({ clientId: client.id, limit: 20 });
      expect(JSON.stringify(records)).not.toContain(unknown_id);
      return records.map(({ event }) => event);
    };
    await vi.waitFor(async () =>
      expect(await events()).toEqual(
        expect.arrayContaining(['unknown_kept', 'unknown_assigned', 'face_enrolled']),
      ),
    );
  });

  it('are in the records of processing, and doctor says where they are kept', async () => {
    const client = await newClient();
    const { categories } = (await client.call(endpoints.getProcessingRecords, {})).body;
    const kept = categories.filter(({ data }: { data: string }) => data.includes('not identified'));
    expect(kept).toMatchObject([{ kept: true }]);
    const { out } = await runWajah(env, 'doctor');
    expect(out).toMatch(/unknown_people.*keep_unknown_hours/);
  });

  it.runIf(kind === 'PostgreSQL')(
    'may be two where two servers see one at once, and never an error',
    async () => {
      const client = await newClient();
      const beside = await startTestApp(env);
      const body = of(client, { image: pictures.ani });
      const answers = await Promise.all(
        [server, beside, server, beside].map((one) => one.call(client.token, endpoints.identifyFace, body)),
      );
      const ids = new Set(answers.map((answer) => answer.body.unknown_id));
      expect(ids.has(undefined)).toBe(false);
      expect(ids.size).toBeLessThanOrEqual(2);
    },
  );
});

it('an answer of the cloud’s interface names no unknown_id', async () => {
  const server = await startTestApp({ WAJAH_COMPAT: 'risetai' });
  const client = await server.client();
  await server.context.galleries.update(
    { clientId: client.id, trxId: 't', signal: new AbortController().signal },
    { facegalleryId: client.gallery, keepUnknownHours: 24 },
  );
  const answer = await client.call(endpoints.identifyFace, of(client, { image: pictures.ani }));
  expect(answer.body.risetai.status).toBe('411');
  expect(JSON.stringify(answer.body)).not.toContain('unknown');
});
