import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestClient } from '../../support/test-app.ts';

const server = await startTestApp();

async function hitsLeft(client: TestClient): Promise<number> {
  return (await client.call(endpoints.getCounters)).body.remaining_limit.n_api_hits;
}

describe('n_api_hits', () => {
  it('counts calls that succeed or fail, but not get-counters or calls without a token', async () => {
    const client = await server.client({ hits: 10 });
    expect(await hitsLeft(client)).toBe(10);
    await client.call(endpoints.listGalleries);
    await client.call(endpoints.createGallery, {});
    await client.call(endpoints.verifyFace, { image: 7 });
    await client.call(endpoints.register);
    await server.call('nonsense', endpoints.listGalleries);
    await client.call({ ...endpoints.listGalleries, path: '/nowhere' });
    expect(await hitsLeft(client)).toBe(6);
    expect(await hitsLeft(client)).toBe(6);
  });

  it('is never exceeded by concurrent calls', async () => {
    const client = await server.client({ hits: 7 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call(endpoints.listGalleries)));
    expect(answers.filter(({ http }) => http === 200)).toHaveLength(7);
    const refused = answers.filter(({ http }) => http === 403);
    expect(refused).toHaveLength(13);
    expect(refused[0]?.body).toMatchObject({ status: '403', detail: expect.stringContaining('n_api_hits') });
    expect(await hitsLeft(client)).toBe(0);
  });

  it('is not restored by deleting and registering the client again', async () => {
    const client = await server.client({ hits: 10, faces: 5, galleries: 2 });
    await client.call(endpoints.listGalleries);
    expect((await client.call(endpoints.deleteClient)).http).toBe(200);
    expect((await client.call(endpoints.register)).http).toBe(200);
    const { body } = await client.call(endpoints.getCounters);
    expect(body.remaining_limit).toEqual({ n_api_hits: 7, n_face: 5, n_facegallery: 1 });
  });

  it('allows erasing and registering again when it is used up', async () => {
    const client = await server.client({ hits: 2, galleries: 3 });
    const facegallery_id = client.gallery;
    await client.call(endpoints.createGallery, { facegallery_id: 'other' });
    await client.call(endpoints.listGalleries);
    expect((await client.call(endpoints.listGalleries)).http).toBe(403);
    expect((await client.call(endpoints.deleteFace, { facegallery_id, user_id: 'x' })).body.status).toBe(
      '415',
    );
    expect((await client.call(endpoints.deleteGallery, { facegallery_id: 'other' })).http).toBe(200);
    expect((await client.call(endpoints.deleteClient)).http).toBe(200);
    expect((await client.call(endpoints.deleteClient)).body.detail).toContain('client not registered');
    expect((await client.call(endpoints.register)).http).toBe(200);
    expect(await hitsLeft(client)).toBe(0);
    expect((await client.call(endpoints.listGalleries)).http).toBe(403);
  });

  it('is 2147483647 where there is no limit, which is the default', async () => {
    const client = await server.client();
    const { body } = await client.call(endpoints.getCounters);
    const unlimited = 2_147_483_647;
    expect(body.remaining_limit).toEqual({ n_api_hits: unlimited, n_face: unlimited, n_facegallery: 99 });
    await client.call(endpoints.listGalleries);
    expect(await hitsLeft(client)).toBe(2_147_483_647);
  });
});

describe('a quota that is nearly used up', () => {
  const told = (id: string) =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('"quota_reached"') && line.includes(`"${id}"`))
      .map((line) => JSON.parse(line))
      .map(({ quota, percent, used, limit }) => [quota, percent, used, limit]);

  it('is told once at 80 %, and once at 100 %, not at each call, also of concurrent ones', async () => {
    const client = await server.client({ hits: 20 });
    const call = () => client.call(endpoints.listGalleries);
    for (let i = 0; i < 15; i++) await call();
    expect(told(client.id)).toEqual([]);
    await Promise.all([call(), call(), call(), call()]);
    expect(told(client.id)).toEqual([['n_api_hits', 80, 16, 20]]);
    await Promise.all([call(), call(), call()]);
    expect(told(client.id)).toEqual([
      ['n_api_hits', 80, 16, 20],
      ['n_api_hits', 100, 20, 20],
    ]);
  });

  it('is told again when it was raised and is reached again, and never where there is none', async () => {
    const client = await server.client({ hits: 5 });
    for (let i = 0; i < 4; i++) await client.call(endpoints.listGalleries);
    await server.context.store.clients.setQuota(client.id, { hits: 10 });
    for (let i = 0; i < 4; i++) await client.call(endpoints.listGalleries);
    expect(told(client.id).map(([, percent, used]) => [percent, used])).toEqual([
      [80, 4],
      [80, 8],
    ]);
    const other = await server.client();
    for (let i = 0; i < 30; i++) await other.call(endpoints.listGalleries);
    expect(told(other.id)).toEqual([]);
  });

  it('is counted by a metric, as quotas of faces and galleries are', async () => {
    const own = await startTestApp({ WAJAH_METRICS: 'open' });
    const read = async () => {
      const text = (await own.app.inject('/metrics')).body;
      const lines = text.matchAll(/^wajah_clients_near_quota{quota="(\w+)",percent="(\d+)"} (\d+)$/gm);
      return Object.fromEntries(
        [...lines].map(([, quota, percent, count]) => [`${quota} ${percent}`, Number(count)]),
      );
    };
    const full = await own.client({ hits: 5, galleries: 1 });
    for (let i = 0; i < 4; i++) await full.call(endpoints.listGalleries);
    expect(await read()).toEqual({
      'hits 80': 1,
      'hits 100': 0,
      'faces 80': 0,
      'faces 100': 0,
      'galleries 80': 1,
      'galleries 100': 1,
    });
  });
});

describe('n_facegallery', () => {
  it('is given back when a gallery is deleted', async () => {
    const client = await server.client({ galleries: 3 });
    const left = async () => (await client.call(endpoints.getCounters)).body.remaining_limit.n_facegallery;
    expect(await left()).toBe(2);
    await client.call(endpoints.createGallery, { facegallery_id: 'a' });
    expect(await left()).toBe(1);
    await client.call(endpoints.deleteGallery, { facegallery_id: 'a' });
    expect(await left()).toBe(2);
  });
});
