import { describe, expect, it } from 'vitest';
import { openStore, unlimited } from '../../../test/support/store.ts';

describe('clients', () => {
  it('take hits while there are any, once registered, and never more at once', async () => {
    const store = openStore();
    await store.clients.create({ clientId: 'a', passwordHash: null, quota: { ...unlimited, hits: 5 } });
    expect(await store.clients.takeHit('a')).toBe(false);
    expect(await store.clients.register('a', new Date())).toBe(true);
    expect(await store.clients.register('a', new Date())).toBe(false);
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.clients.takeHit('a')));
    expect(taken.filter(Boolean)).toHaveLength(5);
    await store.clients.returnHit('a');
    expect((await store.clients.get('a'))?.used.hits).toBe(4);
    expect(await store.clients.takeHit('nobody')).toBe(false);
  });

  it('are changed one field at a time', async () => {
    const store = openStore();
    const created = { clientId: 'a', passwordHash: 'h', quota: { hits: 1, faces: 2, galleries: 3 } };
    expect(await store.clients.create(created)).toBe(true);
    expect(await store.clients.create({ ...created, passwordHash: 'other' })).toBe(false);
    expect(await store.clients.setQuota('a', { faces: -1 })).toBe(true);
    expect(await store.clients.setQuota('b', { faces: 1 })).toBe(false);
    expect(await store.clients.setPassword('a', 'h2')).toBe(true);
    const record = await store.clients.get('a');
    expect(record).toMatchObject({ passwordHash: 'h2', quota: { hits: 1, faces: -1, galleries: 3 } });
    expect(record?.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await store.clients.list()).toEqual([record]);
  });
});
