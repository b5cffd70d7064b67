import { describe, expect, it } from 'vitest';
import { face, newGallery, unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

describeStores('a store', (open) => {
  describe('clients', () => {
    it('take hits within their quota once registered, also concurrently', async () => {
      const { clients } = await open();
      await clients.create({ clientId: 'a', passwordHash: null, quota: { ...unlimited, hits: 5 } });
      expect(await clients.takeHits('a')).toBeNull();
      expect(await clients.register('a', new Date())).toBe(true);
      expect(await clients.register('a', new Date())).toBe(false);
      const taken = await Promise.all(Array.from({ length: 20 }, () => clients.takeHits('a')));
      expect(taken.flatMap((it) => it?.left ?? []).sort()).toEqual([0, 1, 2, 3, 4]);
      expect(taken.find((it) => it !== null)).toMatchObject({ quota: 5 });
      await clients.returnHit('a');
      expect((await clients.get('a'))?.used.hits).toBe(4);
      expect(await clients.takeHits('a', 2)).toBeNull();
      expect(await clients.takeHits('nobody')).toBeNull();
      await clients.setQuota('a', { hits: -1 });
      const endless = Number.POSITIVE_INFINITY;
      expect(await clients.takeHits('a', 3)).toEqual({ left: endless, quota: endless });
      expect((await clients.get('a'))?.used.hits).toBe(7);
    });

    it('that have used 80 % of a quota are found, those who are unlimited are not', async () => {
      const store = await open();
      const { clients, galleries } = store;
      const make = async (clientId: string, quota: Partial<typeof unlimited>) => {
        await clients.create({ clientId, passwordHash: null, quota: { ...unlimited, ...quota } });
        await clients.register(clientId, new Date());
      };
      await make('a', { hits: 10, galleries: 2 });
      await make('b', { hits: 10 });
      await make('c', {});
      await clients.takeHits('a', 8);
      await clients.takeHits('b', 7);
      await clients.takeHits('c', 1000);
      const calls = { clientId: 'a', quota: 'hits', used: 8, limit: 10 };
      expect(await clients.nearQuota()).toEqual([calls]);
      for (const name of ['one', 'two']) await galleries.create('a', name, () => Buffer.alloc(1));
      await clients.takeHits('b', 2);
      expect(await clients.nearQuota()).toEqual([
        { clientId: 'a', quota: 'galleries', used: 2, limit: 2 },
        { clientId: 'b', quota: 'hits', used: 9, limit: 10 },
        calls,
      ]);
      await clients.setQuota('b', { hits: 100 });
      expect((await clients.nearQuota()).map(({ clientId }) => clientId)).toEqual(['a', 'a']);
    });

    it('are changed one field at a time', async () => {
      const { clients } = await open();
      const created = { clientId: 'a', passwordHash: 'h', quota: { hits: 1, faces: 2, galleries: 3 } };
      expect(await clients.create(created)).toBe(true);
      expect(await clients.create({ ...created, passwordHash: 'other' })).toBe(false);
      expect(await clients.setQuota('a', { faces: -1 })).toBe(true);
      expect(await clients.setQuota('b', { faces: 1 })).toBe(false);
      expect((await clients.get('a'))?.operator).toBe(false);
      expect(await clients.setOperator('a', true)).toBe(true);
      expect(await clients.setOperator('b', true)).toBe(false);
      const at = new Date(Date.now() + 1000);
      const change = { at, revoke: 'none' } as const;
      expect(await clients.setPassword('a', 'h1', { ...change, former: 'other' })).toBe(false);
      expect(await clients.setPassword('a', 'h2', { ...change, former: 'h' })).toBe(true);
      expect(await clients.setPassword('b', 'h2', change)).toBe(false);
      const record = await clients.get('a');
      expect(record?.tokensSince).toEqual(record?.createdAt);
      expect(record).toMatchObject({
        passwordHash: 'h2',
        operator: true,
        quota: { hits: 1, faces: -1, galleries: 3 },
      });
      expect(record?.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
      expect(await clients.list()).toEqual([record]);
    });
  });

  describe('galleries', () => {
    it('have numbers that are never reused, and names that are unique within one client', async () => {
      const store = await open();
      const first = await newGallery(store);
      expect(await store.galleries.create('alice', 'main', () => Buffer.alloc(1))).toBe('exists');
      expect(await store.galleries.remove('alice', 'main')).toBe(true);
      expect(await store.galleries.remove('alice', 'main')).toBe(false);
      const second = await newGallery(store);
      expect(second.id).toBeGreaterThan(first.id);
      const other = await newGallery(store, 'bob');
      expect(other.id).toBeGreaterThan(second.id);
      expect((await store.galleries.list('bob')).map((gallery) => gallery.id)).toEqual([other.id]);
      expect(text((await store.galleries.get('bob', 'main'))?.wrappedKey)).toBe(`key ${other.id}`);
    });

    it('are listed by name, whole and in pages', async () => {
      const store = await open();
      await newGallery(store, 'bob');
      const names = ['Zeta', 'a b', 'alpha', 'main', 'ähre'];
      await newGallery(store);
      for (const name of names)
        if (name !== 'main') await store.galleries.create('alice', name, () => Buffer.alloc(1));
      const list = async (page?: { after?: string; limit?: number }) =>
        (await store.galleries.list('alice', page)).map(({ galleryId }) => galleryId);
      expect(await list()).toEqual(names);
      expect([await list({ limit: 2 }), await list({ after: 'a b', limit: 2 })]).toEqual([
        ['Zeta', 'a b'],
        ['alpha', 'main'],
      ]);
      expect(await list({ after: 'main' })).toEqual(['ähre']);
    });

    it('never exceed the quota with concurrent calls', async () => {
      const store = await open();
      await newGallery(store, 'a', { ...unlimited, galleries: 4 });
      const names = Array.from({ length: 10 }, (_, i) => `g${i}`);
      const made = await Promise.all(
        names.map((name) => store.galleries.create('a', name, () => Buffer.alloc(1))),
      );
      expect(made.filter((gallery) => gallery === 'quota')).toHaveLength(7);
      expect((await store.clients.get('a'))?.used.galleries).toBe(4);
    });

    it('of one name are created once by concurrent calls', async () => {
      const store = await open();
      await newGallery(store, 'a');
      const tries = Array.from({ length: 8 }, () => store.galleries.create('a', 'x', () => Buffer.alloc(1)));
      const made = await Promise.all(tries);
      expect(made.filter((answer) => answer === 'exists')).toHaveLength(7);
    });

    it('have independent settings, which null resets', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      const unset = { threshold: null, curve: null, requireLiveness: false };
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ id, ...unset });
      const strict = { requireLiveness: true };
      const key = () => Buffer.alloc(1);
      expect(await store.galleries.create('alice', 'strict', key, strict)).toMatchObject(strict);
      await store.galleries.updateSettings('alice', 'strict', { threshold: 0.7 });
      expect(await store.galleries.get('alice', 'strict')).toMatchObject({ ...strict, threshold: 0.7 });
      await store.galleries.updateSettings('alice', 'strict', { requireLiveness: false });
      expect(await store.galleries.get('alice', 'strict')).toMatchObject({ ...unset, threshold: 0.7 });
      expect(await store.galleries.updateSettings('alice', 'main', { threshold: 0.8 })).toBe(true);
      expect(await store.galleries.updateSettings('alice', 'main', { curve: '{}' })).toBe(true);
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ threshold: 0.8, curve: '{}' });
      await store.galleries.updateSettings('alice', 'main', { threshold: null });
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ threshold: null, curve: '{}' });
      expect(await store.galleries.updateSettings('alice', 'nowhere', { threshold: 1 })).toBe(false);
    });

    it('has statistics that only newer ones replace, and none while they are off', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      const cohort = (version: number) => ({ version, people: 12, sealed: Uint8Array.of(version) });
      const stored = async () => (await store.galleries.get('alice', 'main'))!.cohort;
      expect(await store.galleries.list('alice')).toMatchObject([{ cohort: null, cohortMode: 'auto' }]);
      expect(await store.galleries.storeCohort(id, cohort(2))).toBe(true);
      expect(await store.galleries.storeCohort(id, cohort(2))).toBe(false);
      expect(await store.galleries.storeCohort(id, cohort(1))).toBe(false);
      expect(await store.galleries.storeCohort(id, cohort(3))).toBe(true);
      await store.galleries.updateSettings('alice', 'main', { cohortMode: 'off' });
      expect(await store.galleries.storeCohort(id, cohort(4))).toBe(false);
      expect(await stored()).toMatchObject({ version: 3, people: 12 });
      expect([...(await stored())!.sealed]).toEqual([3]);
      expect(await store.galleries.storeCohort(id, null)).toBe(true);
      expect(await stored()).toBeNull();
      await store.galleries.updateSettings('alice', 'main', { cohortMode: 'auto' });
      await store.galleries.storeCohort(id, cohort(5));
      await store.galleries.remove('alice', 'main');
      expect(await store.galleries.storeCohort(id, cohort(6))).toBe(false);
    });
  });

  describe('erasing', () => {
    it('leaves nothing of concurrent writes', async () => {
      const store = await open();
      for (let round = 0; round < 5; round++) {
        const { id } = await newGallery(store, 'a', { ...unlimited, faces: 100 });
        const work = [
          ...Array.from({ length: 12 }, (_, i) => store.faces.put(id, face(`u${i}`), false)),
          store.clients.unregister('a'),
          store.galleries.create('a', 'other', () => Buffer.alloc(1)),
        ];
        await Promise.all(work);
        await store.clients.unregister('a');
        expect(await store.faces.list(id)).toEqual([]);
        expect((await store.clients.get('a'))?.used).toEqual({ hits: 0, faces: 0, galleries: 0 });
      }
    });
  });

  describe('tokens', () => {
    it('are found by digest, revoked by id or digest or only by their client, and erased with it', async () => {
      const store = await open();
      await newGallery(store, 'a');
      const token = {
        clientId: 'a',
        name: 'n',
        scopes: ['read'],
        createdAt: new Date(1000),
        expiresAt: null,
      } as const;
      const first = { binding: { service: 'recognition', galleryId: 'main' } } as const;
      await store.tokens.add({ ...token, ...first, id: '1', digest: 'd1' });
      await store.tokens.recordUse('1', new Date(5));
      expect(await store.tokens.find('d1')).toMatchObject({ ...first, lastUsedAt: new Date(5) });
      expect(await store.tokens.revoke('1', new Date(), 'bob')).toBe(false);
      const second = { ...token, id: '2', digest: 'd2', expiresAt: new Date(2000) };
      await store.tokens.add(second);
      expect(await store.tokens.find('d2')).toEqual({
        ...second,
        binding: null,
        revokedAt: null,
        lastUsedAt: null,
      });
      expect((await store.tokens.list('a')).map((one) => one.binding)).toEqual([first.binding, null]);
      expect(await store.tokens.revoke('d1', new Date(3000), 'a')).toBe(true);
      expect(await store.tokens.revoke('1', new Date(4000))).toBe(true);
      expect(await store.tokens.revoke('none', new Date())).toBe(false);
      expect((await store.tokens.list('a')).map((t) => t.revokedAt)).toEqual([new Date(3000), null]);
      await store.clients.remove('a');
      expect(await store.tokens.find('d2')).toBeNull();
    });

    it('that are bound to a gallery need it, and are revoked with it', async () => {
      const store = await open();
      for (const clientId of ['a', 'b']) await newGallery(store, clientId);
      const of = (clientId: string, id: string, galleryId: string | null) => {
        const token = { id, clientId, name: 'n', digest: id, scopes: [], createdAt: new Date(1000) };
        const binding = galleryId === null ? null : ({ service: 'gallery', galleryId } as const);
        return store.tokens.add({ ...token, expiresAt: null, binding });
      };
      const added = [of('a', '1', 'main'), of('a', '2', null), of('b', '3', 'main')];
      expect(await Promise.all(added)).toEqual([true, true, true]);
      expect(await of('a', '4', 'none')).toBe(false);
      const at = new Date(3000);
      await of('a', '5', 'main');
      await store.tokens.revoke('5', at);
      await store.galleries.remove('a', 'main');
      expect(await of('a', '6', 'main')).toBe(false);
      await newGallery(store, 'a');
      const revoked = async (id: string) => (await store.tokens.find(id))?.revokedAt;
      expect(await revoked('1')).toEqual(expect.any(Date));
      expect([await revoked('2'), await revoked('3'), await revoked('5')]).toEqual([null, null, at]);
    });

    it('are revoked by a new password of their client, where it says so', async () => {
      const store = await open();
      for (const clientId of ['a', 'b']) {
        const quota = { hits: 1, faces: 1, galleries: 1 };
        await store.clients.create({ clientId, passwordHash: 'h', quota });
        const token = { clientId, name: 'n', scopes: [], createdAt: new Date(1000), expiresAt: null };
        await store.tokens.add({ ...token, id: clientId, digest: clientId });
      }
      const revoked = async (id: string) => (await store.tokens.find(id))?.revokedAt;
      const at = new Date(Date.now() + 1000);
      await store.clients.setPassword('a', 'h2', { at, revoke: 'access' });
      expect([(await store.clients.get('a'))?.tokensSince, await revoked('a')]).toEqual([at, null]);
      const later = new Date(at.getTime() + 1000);
      await store.clients.setPassword('a', 'h3', { at: later, revoke: 'all', former: 'h1' });
      expect(await revoked('a')).toBeNull();
      await store.clients.setPassword('a', 'h3', { at: later, revoke: 'all', former: 'h2' });
      expect([(await store.clients.get('a'))?.tokensSince, await revoked('a')]).toEqual([later, later]);
      expect(await revoked('b')).toBeNull();
    });

    it('of revoked JWTs are deleted only after they have expired', async () => {
      const { tokens } = await open();
      await tokens.revokeJwt('old', new Date(Date.now() - 3_600_000));
      await tokens.revokeJwt('new', new Date(Date.now() + 60_000));
      await tokens.revokeJwt('new', new Date(Date.now() + 60_000));
      expect((await tokens.jwtState('old', 'acme')).revoked).toBe(false);
      expect((await tokens.jwtState('new', 'acme')).revoked).toBe(true);
      expect((await tokens.jwtState('other', 'acme')).revoked).toBe(false);
    });
  });

  it('keeps the first value of a meta key', async () => {
    const { meta } = await open();
    expect(await meta.get('k')).toBeNull();
    const values = await Promise.all(['1', '2', '3'].map((value) => meta.setIfAbsent('k', value)));
    expect(new Set(values).size).toBe(1);
    expect(await meta.get('k')).toBe(values[0]);
  });

  it('counts rate limits exactly, in windows, and resets them', async () => {
    const { limits } = await open();
    const counts = await Promise.all(Array.from({ length: 9 }, () => limits.increment('k', 5, 60_000)));
    expect(counts.filter(({ count }) => count <= 5)).toHaveLength(5);
    for (const { waitMs } of counts) expect(waitMs).toBeGreaterThan(50_000);
    expect((await limits.increment('other', 5, 60_000)).count).toBe(1);
    await limits.decrement('k', 2);
    expect((await limits.increment('k', 5, 60_000)).count).toBe(5);
    await limits.decrement('k');
    expect((await limits.increment('k', 5, 1)).count).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await limits.increment('k', 5, 60_000)).count).toBe(1);
  });

  it('refuses calls after it was closed', async () => {
    const store = await open();
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
    await expect(store.ping()).rejects.toThrow(/closed/);
  });
});
