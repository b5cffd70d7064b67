import { endpoints } from '@wajah/contract';
import { refusalSentence } from '@wajah/contract/refusals';
import { describe, expect, it } from 'vitest';
import { drawPictures, startTestApp, type TestClient } from '../../../test/support/test-app.ts';

const { getActivity, verifyFace } = endpoints;

const [server, pictures] = await Promise.all([
  startTestApp({}, { quota: { hits: 1_000_000, faces: 100_000 } }),
  drawPictures(),
]);

/** How often a client called. */
async function activityOf(client: TestClient, fields = {}) {
  return (await client.call(getActivity, fields)).body;
}

/** Its refused calls. */
async function refusalsOf(client: TestClient, fields = {}) {
  return (await client.call(endpoints.listRefusals, fields)).body.refusals;
}

async function busyClient() {
  const client = await server.client();
  const facegallery_id = client.gallery;
  const ani = { user_id: 'ani', facegallery_id };
  await client.enrol('ani', pictures.ani);
  await client.call(verifyFace, { ...ani, image: pictures.aniAgain, trx_id: 'good' });
  await client.call(verifyFace, { ...ani, image: pictures.budi, trx_id: 'not-her' });
  await client.call(verifyFace, { ...ani, image: pictures.nobody, trx_id: 'empty' });
  const face_parameters = { angle: 'face left' };
  await client.call(endpoints.verifyLiveness, { image: pictures.ani, face_parameters, trx_id: 'wrong-way' });
  return { client, ani };
}

const callsIn = ({ days }: { days: { calls: number; errors: number }[] }) =>
  days.reduce(([calls, errors], day) => [calls! + day.calls, errors! + day.errors], [0, 0]);

describe('get-activity', () => {
  it('counts calls and errors by day, status and route', async () => {
    const { client } = await busyClient();
    const body = await activityOf(client);
    expect(callsIn(body)).toEqual([5, 1]);
    expect(body.days.at(-1).day).toBe(body.to.slice(0, 10));
    expect(body.from).toMatch(/T00:00:00.000Z$/);
    expect(body.statuses).toEqual([
      { status: '200', status_message: 'Success', count: 4 },
      { status: '412', status_message: 'Face not detected', count: 1 },
    ]);
    expect(body.routes[0]).toEqual({ route: verifyFace.path, calls: 3, errors: 1 });
    expect(body.counters.n_api_hits).toBe(1_000_000 - 5);
    expect(body.limits).toEqual({ n_api_hits: 1_000_000, n_face: 100_000, n_facegallery: 100 });
  });

  it('lists refused calls with their reason, newest first', async () => {
    const { client, ani } = await busyClient();
    const refusals = await refusalsOf(client);
    expect(refusals.map((one: { trx_id: string }) => one.trx_id)).toEqual(['wrong-way', 'empty', 'not-her']);
    const [turned, empty, other] = refusals;
    expect(turned).toMatchObject({
      status: '200',
      detail: expect.stringMatching(/^liveness failed: .*angle/),
    });
    expect(turned.spoof_score).toBeGreaterThanOrEqual(0);
    expect(empty).toMatchObject({ ...ani, status: '412', status_message: 'Face not detected' });
    expect(empty.detail).toMatch(/^image: no face/);
    expect(empty).toMatchObject({ error: 'faceNotDetected', params: { field: 'image' } });
    expect(refusalSentence(empty)).toBe(empty.detail);
    expect([turned.error, turned.params]).toEqual([undefined, undefined]);
    expect(other).toMatchObject({ ...ani, route: verifyFace.path, status: '200' });
    expect(other.detail).toBe(`not verified: similarity ${other.similarity}`);
    expect(other.similarity).toBeLessThan(0.7);
  });

  it('counts calls of one endpoint or status, beside what else there is', async () => {
    const { client } = await busyClient();
    const verified = await activityOf(client, { route: verifyFace.path });
    expect(callsIn(verified)).toEqual([3, 1]);
    expect(verified.routes).toHaveLength(3);
    expect(verified.statuses.map((one: { count: number }) => one.count)).toEqual([2, 1]);
    const failed = await activityOf(client, { for_status: '412' });
    expect(callsIn(failed)).toEqual([1, 1]);
    expect([failed.routes.length, failed.statuses.length]).toEqual([1, 2]);
  });

  it('lists refusals apart from faces that were not accepted, by page', async () => {
    const { client } = await busyClient();
    const list = async (fields: object) => (await client.call(endpoints.listRefusals, fields)).body;
    const trxIds = async (fields: object) =>
      (await list(fields)).refusals.map((one: { trx_id: string }) => one.trx_id);
    expect(await trxIds({ kind: 'refused' })).toEqual(['empty']);
    expect(await trxIds({ kind: 'rejected' })).toEqual(['wrong-way', 'not-her']);
    expect(await trxIds({ user_id: 'ani', facegallery_id: client.gallery })).toEqual(['empty', 'not-her']);
    expect(await trxIds({ for_status: 412, route: verifyFace.path })).toEqual(['empty']);
    expect(await trxIds({ to: '2026-01-31T12:00:00Z' })).toEqual([]);
    const { refusals, next_before } = await list({ limit: 2 });
    expect(refusals).toHaveLength(2);
    expect(await list({ limit: 2, before: next_before })).toMatchObject({
      refusals: [{ trx_id: 'not-her' }],
      next_before: null,
    });
    const { http, body } = await client.call(endpoints.listRefusals, { kind: 'all', limit: 0 });
    expect([http, body.detail]).toEqual([400, expect.stringMatching(/^kind: .*refused, rejected/)]);
  });

  it('contains nothing about a deleted user', async () => {
    const { client, ani } = await busyClient();
    // One is written already, one still waits.
    await refusalsOf(client);
    await client.call(verifyFace, { ...ani, image: pictures.nobody, trx_id: 'late' });
    const flags = { check_duplicate: true, trx_id: 'duplicate' };
    const duplicate = await client.enrol('other', pictures.ani, flags);
    expect(duplicate.body).toMatchObject({ status: '409', duplicate_user_id: 'ani' });
    await client.call(endpoints.deleteFace, ani);
    const refusals = await refusalsOf(client);
    expect(refusals.map((one: { trx_id: string }) => one.trx_id)).toEqual(['duplicate', 'wrong-way']);
    expect(JSON.stringify(refusals)).not.toMatch(/"ani"/);
    expect(refusals[0]).toMatchObject({ error: duplicate.body.error });
    expect(Object.keys(refusals[0])).not.toContain('params');
    expect(callsIn(await activityOf(client))[0]).toBe(8);
    await client.call(endpoints.deleteGallery, { facegallery_id: client.gallery });
    const after = await refusalsOf(client);
    expect(after.map((one: { trx_id: string }) => one.trx_id)).toEqual(['wrong-way']);
  });

  it('belongs to one client and is deleted with it', async () => {
    const { client } = await busyClient();
    const other = await server.client();
    const theirs = await activityOf(other);
    expect([theirs.days, theirs.routes, await refusalsOf(other)]).toEqual([[], [], []]);
    await client.call(endpoints.deleteClient);
    await client.call(endpoints.register);
    // Only what was called since: the registration, and the deletion, which ended after it had erased.
    expect(callsIn(await activityOf(client))[0]).toBeLessThanOrEqual(2);
    expect(await refusalsOf(client)).toEqual([]);
  });

  it('accepts any range, in whole days', async () => {
    const { client } = await busyClient();
    const now = Date.now();
    const iso = (ms: number) => new Date(now + ms).toISOString();
    expect(callsIn(await activityOf(client, { from: iso(-1), to: iso(60_000) }))).toEqual([5, 1]);
    expect(callsIn(await activityOf(client, { from: '0001-01-01T00:00:00Z' }))).toEqual([5, 1]);
    const before = await activityOf(client, { from: iso(-96 * 3_600_000), to: iso(-24 * 3_600_000) });
    expect(before.days).toEqual([]);
  });

  it('does not count calls that read the account', async () => {
    const client = await server.client();
    for (const endpoint of [getActivity, endpoints.getCounters, endpoints.describeGalleries]) {
      await client.call(endpoint);
    }
    expect((await activityOf(client)).days).toEqual([]);
  });
});

it('keeps nothing with a retention of 0 days, and erases earlier records', async () => {
  const off = await startTestApp({ WAJAH_EVENT_DAYS: '0' }, { quota: { hits: 1_000_000 } });
  const client = await off.client();
  await client.call(endpoints.listGalleries);
  await client.call(endpoints.listFaces, { facegallery_id: 'none' });
  const { body } = await client.call(getActivity);
  const { refusals } = (await client.call(endpoints.listRefusals)).body;
  expect([body.days, refusals]).toEqual([[], []]);
  expect(body.counters.n_api_hits).toBe(999_998);
});
