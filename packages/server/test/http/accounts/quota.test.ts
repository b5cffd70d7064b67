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

  it('is 2147483647 where there is no limit', async () => {
    const client = await server.client({ hits: -1 });
    await client.call(endpoints.listGalleries);
    expect(await hitsLeft(client)).toBe(2_147_483_647);
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
