import { afterEach, describe, expect, it, vi } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { base64 } from '../../server/test/support/requests.ts';
import { startCompreface } from './server.ts';

afterEach(() => vi.restoreAllMocks());

describe('writers of one gallery', () => {
  it('take turns: an enrolment that looks for duplicates and a subject that gets pictures', async () => {
    const { server, client, call } = await startCompreface();
    const [ani, budi] = await Promise.all([
      base64(drawnFace({ person: 'ani' })),
      base64(drawnFace({ person: 'budi' })),
    ]);
    const written = vi.spyOn(server.context.store.faces, 'put');
    const flags = { replace: true, check_duplicate: true, trx_id: 'turns' };
    const enrol = async () => (await client.enrol('b', budi, flags)).http;
    const add = async () =>
      (await call({ path: '/recognition/faces?subject=ani', json: { file: ani } })).http;
    const calls = Array.from({ length: 6 }, () => [enrol(), add()]).flat();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200, 201]));
    const outcomes = await Promise.all(written.mock.results.map(({ value }) => value));
    expect(outcomes.filter((outcome) => outcome === 'changed')).toEqual([]);
    expect(outcomes).toHaveLength(12);
  });

  it('take turns: of two enrolments of one face at the same time, the second finds the first', async () => {
    const { client } = await startCompreface();
    const ani = await base64(drawnFace({ person: 'ani' }));
    const enrol = async (userId: string) => (await client.enrol(userId, ani, { check_duplicate: true })).http;
    const results = await Promise.all(['first', 'second'].map(enrol));
    expect(results.sort()).toEqual([200, 409]);
  });
});
