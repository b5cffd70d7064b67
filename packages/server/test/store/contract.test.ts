import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints } from '../../src/matching/code-points.ts';
import type { Store } from '../../src/store/store.ts';
import { face, newGallery, unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

describeStores('a store', (open) => {
  describe('clients', () => {
    it('take hits while there are any, once registered, and never more at once', async () => {
      const { clients } = await open();
      await clients.create({ clientId: 'a', passwordHash: null, quota: { ...unlimited, hits: 5 } });
      expect(await clients.takeHit('a')).toBe(false);
      expect(await clients.register('a', new Date())).toBe(true);
      expect(await clients.register('a', new Date())).toBe(false);
      const taken = await Promise.all(Array.from({ length: 20 }, () => clients.takeHit('a')));
      expect(taken.filter(Boolean)).toHaveLength(5);
      await clients.returnHit('a');
      expect((await clients.get('a'))?.used.hits).toBe(4);
      expect(await clients.takeHit('nobody')).toBe(false);
    });

    it('are changed one field at a time', async () => {
      const { clients } = await open();
      const created = { clientId: 'a', passwordHash: 'h', quota: { hits: 1, faces: 2, galleries: 3 } };
      expect(await clients.create(created)).toBe(true);
      expect(await clients.create({ ...created, passwordHash: 'other' })).toBe(false);
      expect(await clients.setQuota('a', { faces: -1 })).toBe(true);
      expect(await clients.setQuota('b', { faces: 1 })).toBe(false);
      expect(await clients.setPassword('a', 'h2')).toBe(true);
      const record = await clients.get('a');
      expect(record).toMatchObject({ passwordHash: 'h2', quota: { hits: 1, faces: -1, galleries: 3 } });
      expect(record?.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
      expect(await clients.list()).toEqual([record]);
    });
  });

  describe('galleries', () => {
    it('have numbers that are never used again, and names within one client', async () => {
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

    it('are not more than the quota, however many are made at once', async () => {
      const store = await open();
      await newGallery(store, 'a', { ...unlimited, galleries: 4 });
      const names = Array.from({ length: 10 }, (_, i) => `g${i}`);
      const made = await Promise.all(
        names.map((name) => store.galleries.create('a', name, () => Buffer.alloc(1))),
      );
      expect(made.filter((gallery) => gallery === 'quota')).toHaveLength(7);
      expect((await store.clients.get('a'))?.used.galleries).toBe(4);
    });

    it('of one name are made once, however many try', async () => {
      const store = await open();
      await newGallery(store, 'a');
      const tries = Array.from({ length: 8 }, () => store.galleries.create('a', 'x', () => Buffer.alloc(1)));
      const made = await Promise.all(tries);
      expect(made.filter((answer) => answer === 'exists')).toHaveLength(7);
    });

    it('keep what the operator sets, each apart, and give it back with null', async () => {
      const store = await open();
      await newGallery(store);
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ threshold: null, curve: null });
      expect(await store.galleries.tune('alice', 'main', { threshold: 0.8 })).toBe(true);
      expect(await store.galleries.tune('alice', 'main', { curve: '{}' })).toBe(true);
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ threshold: 0.8, curve: '{}' });
      await store.galleries.tune('alice', 'main', { threshold: null });
      expect(await store.galleries.list('alice')).toMatchObject([{ threshold: null, curve: '{}' }]);
      expect(await store.galleries.tune('alice', 'nowhere', { threshold: 1 })).toBe(false);
    });
  });

  describe('faces', () => {
    it('are refused by name: gone, contract, exists, quota, changed', async () => {
      const store = await open();
      const { id } = await newGallery(store, 'a', { ...unlimited, faces: 1 });
      expect(await store.faces.enrol(id + 1, face('u'), false)).toBe('gone');
      expect(await store.faces.enrol(id, face('u'), false)).toBe(1);
      expect(await store.faces.enrol(id, { ...face('v'), contract: 'other' }, false)).toBe('contract');
      expect(await store.faces.enrol(id, face('u'), false)).toBe('exists');
      expect(await store.faces.enrol(id, face('v'), false)).toBe('quota');
      expect(await store.faces.enrol(id, face('u', 'late'), true, 0)).toBe('changed');
      expect(await store.faces.enrol(id, face('u', 'new'), true, 1)).toBe(2);
      expect(await store.faces.get(id, 'u')).toMatchObject({ userName: 'name of new', seq: 2 });
      expect(await store.faces.remove(id, 'nobody')).toBe(false);
      expect(await store.faces.remove(id, 'u')).toBe(3);
      expect(await store.galleries.get('a', 'main')).toMatchObject({ version: 3, faces: 0, contract: null });
      expect(await store.faces.enrol(id, { ...face('v'), contract: 'other' }, false)).toBe(4);
    });

    it('never overdraw a quota that galleries share, however many come at once', async () => {
      const store = await open();
      const one = await newGallery(store, 'a', { ...unlimited, faces: 7 });
      const two = await store.galleries.create('a', 'two', () => Buffer.alloc(1));
      if (typeof two === 'string') throw new Error(two);
      const calls = Array.from({ length: 30 }, (_, i) =>
        store.faces.enrol(i % 2 ? one.id : two.id, face(`u${i}`), false),
      );
      const written = await Promise.all(calls);
      expect(written.filter((answer) => typeof answer === 'number')).toHaveLength(7);
      expect(written.filter((answer) => answer === 'quota')).toHaveLength(23);
      expect((await store.clients.get('a'))?.used.faces).toBe(7);
    });

    it('get versions without gap or repetition, and one user_id once, however many come at once', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      const calls = Array.from({ length: 60 }, (_, i) => store.faces.enrol(id, face(`u${i % 40}`), false));
      const written = await Promise.all(calls);
      expect(written.filter((answer) => answer === 'exists')).toHaveLength(20);
      const seqs = written.filter((answer) => typeof answer === 'number').sort((a, b) => a - b);
      expect(seqs).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 40, faces: 40 });
    });

    it('are written by one of those who have read the same version', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      const calls = Array.from({ length: 12 }, (_, i) => store.faces.enrol(id, face(`u${i}`), false, 0));
      expect((await Promise.all(calls)).filter((answer) => answer === 'changed')).toHaveLength(11);
    });

    it('are listed in the order of code points, page by page', async () => {
      const userId = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 4 })
        .filter((id) => !id.includes('\0'));
      const store = await open();
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(userId, { maxLength: 8 }),
          fc.integer({ min: 1, max: 5 }),
          async (ids, limit) => {
            await store.galleries.remove('alice', 'main');
            const { id } = await newGallery(store);
            for (const user of ids) await store.faces.enrol(id, face(user), false);
            const expected = [...ids].sort(compareCodePoints);
            expect((await store.faces.list(id)).map((person) => person.userId)).toEqual(expected);
            expect(await pagesOf(store, id, limit)).toEqual(expected);
          },
        ),
        { numRuns: 12 },
      );
    });

    it('are not stored under a name that would be read back shorter', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      await expect(store.faces.enrol(id, face('a\0b'), false)).rejects.toThrow('U+0000');
      expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 0, faces: 0 });
    });

    it('keep their bytes, and their first date when they are replaced', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      const template = Uint8Array.from({ length: 3000 }, (_, i) => (i * 31) % 256);
      await store.faces.enrol(id, { ...face('u'), template }, false);
      const before = await store.faces.get(id, 'u');
      expect(Buffer.from(before!.template).equals(template)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.faces.enrol(id, face('u', 'new'), true);
      const after = await store.faces.get(id, 'u');
      expect(after?.createdAt).toEqual(before?.createdAt);
      expect(after!.updatedAt.getTime()).toBeGreaterThan(before!.updatedAt.getTime());
    });

    it('are read as of one moment, in slices or whole, while others write and remove', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      for (let i = 0; i < 25; i++) await store.faces.enrol(id, face(`u${i}`), false);
      let reading = true;
      const writing = (async () => {
        for (let i = 0; reading; i++) {
          await store.faces.remove(id, `u${i % 25}`);
          await store.faces.enrol(id, face(`u${i % 25}`, `again ${i}`), true);
        }
      })();
      for (let i = 0; i < 30; i++) {
        const whole = await store.faces.load(id);
        expect(whole?.faces).toHaveLength(whole?.total ?? Number.NaN);
        const part = await store.faces.slice(id, 0, 1000);
        expect(part?.faces).toHaveLength(part?.total ?? Number.NaN);
        expect(part?.faces.at(-1)?.seq).toBeLessThanOrEqual(part?.version ?? -1);
      }
      reading = false;
      await writing;
    });

    it('are read by what is newer than a version, and not from a gallery that is gone', async () => {
      const store = await open();
      const { id } = await newGallery(store);
      for (const user of ['a', 'b', 'c']) await store.faces.enrol(id, face(user), false);
      await store.faces.enrol(id, face('a', 'again'), true);
      await store.faces.remove(id, 'b');
      const news = await store.faces.load(id, 3);
      expect(news).toMatchObject({ version: 5, total: 2 });
      expect(news?.faces.map((f) => [f.userId, f.seq])).toEqual([['a', 4]]);
      const slices = [await store.faces.slice(id, 0, 1), await store.faces.slice(id, 3, 1)];
      expect(slices.map((slice) => slice?.faces.map((f) => f.seq))).toEqual([[3], [4]]);
      expect(await store.faces.slice(id, 5, 10)).toEqual({ version: 5, total: 2, faces: [] });
      await store.galleries.remove('alice', 'main');
      expect(await store.faces.load(id)).toBeNull();
      expect(await store.faces.slice(id, 0, 10)).toBeNull();
    });
  });

  describe('erasing', () => {
    it.each(['unregister', 'remove', 'gallery'] as const)('of all by %s leaves nothing', async (way) => {
      const store = await open();
      const { id } = await newGallery(store);
      const bob = await newGallery(store, 'bob');
      for (let i = 0; i < 20; i++) await store.faces.enrol(id, face(`u${i}`), false);
      await store.faces.enrol(bob.id, face('u'), false);
      if (way === 'unregister') await store.clients.unregister('alice');
      if (way === 'remove') expect(await store.clients.remove('alice')).toBe(true);
      if (way === 'gallery') expect(await store.galleries.remove('alice', 'main')).toBe(true);
      expect(await store.faces.list(id)).toEqual([]);
      expect(await store.faces.enrol(id, face('late'), false)).toBe('gone');
      const client = await store.clients.get('alice');
      if (way === 'remove') expect(client).toBeNull();
      else expect(client?.used).toMatchObject({ faces: 0, galleries: 0, hits: 0 });
      expect(client?.registeredAt ?? null).toEqual(way === 'gallery' ? expect.any(Date) : null);
      expect((await store.clients.get('bob'))?.used).toEqual({ hits: 0, faces: 1, galleries: 1 });
    });

    it('leaves nothing of what others write at the same moment', async () => {
      const store = await open();
      for (let round = 0; round < 5; round++) {
        const { id } = await newGallery(store, 'a', { ...unlimited, faces: 100 });
        const work = [
          ...Array.from({ length: 12 }, (_, i) => store.faces.enrol(id, face(`u${i}`), false)),
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
    it('are found by digest, revoked by id or digest, and go with their client', async () => {
      const store = await open();
      await newGallery(store, 'a');
      const token = { clientId: 'a', name: 'n', createdAt: new Date(1000), expiresAt: null };
      await store.tokens.add({ ...token, id: '1', digest: 'd1' });
      const second = { ...token, id: '2', digest: 'd2', expiresAt: new Date(2000) };
      await store.tokens.add(second);
      expect(await store.tokens.find('d2')).toEqual({ ...second, revokedAt: null });
      expect(await store.tokens.revoke('d1', new Date(3000))).toBe(true);
      expect(await store.tokens.revoke('1', new Date(4000))).toBe(true);
      expect(await store.tokens.revoke('none', new Date())).toBe(false);
      expect((await store.tokens.list('a')).map((t) => t.revokedAt)).toEqual([new Date(3000), null]);
      await store.clients.remove('a');
      expect(await store.tokens.find('d2')).toBeNull();
    });

    it('that are revoked JWTs are forgotten only after they have expired', async () => {
      const { tokens } = await open();
      await tokens.revokeJwt('old', new Date(Date.now() - 3_600_000));
      await tokens.revokeJwt('new', new Date(Date.now() + 60_000));
      await tokens.revokeJwt('new', new Date(Date.now() + 60_000));
      expect(await tokens.isJwtRevoked('old')).toBe(false);
      expect(await tokens.isJwtRevoked('new')).toBe(true);
      expect(await tokens.isJwtRevoked('other')).toBe(false);
    });
  });

  it('keeps the first value of a name', async () => {
    const { meta } = await open();
    expect(await meta.get('k')).toBeNull();
    const values = await Promise.all(['1', '2', '3'].map((value) => meta.init('k', value)));
    expect(new Set(values).size).toBe(1);
    expect(await meta.get('k')).toBe(values[0]);
  });

  it('lists the audit trail newest first, and prunes what is old', async () => {
    const { audit } = await open();
    const entry = { event: 'e', clientId: 'a', trxId: null, facts: { a: 1, b: true, c: 'x' } };
    for (const at of [5, 6, 7]) await audit.append({ ...entry, at: new Date(at) });
    expect((await audit.list(2)).map(({ at }) => at.getTime())).toEqual([7, 6]);
    expect(await audit.prune(new Date(7))).toBe(2);
    expect(await audit.list(10)).toEqual([{ ...entry, at: new Date(7) }]);
  });

  it('counts what is limited: exactly, in windows, and forgives', async () => {
    const { limits } = await open();
    const counts = await Promise.all(Array.from({ length: 9 }, () => limits.count('k', 5, 60_000)));
    expect(counts.filter(({ count }) => count <= 5)).toHaveLength(5);
    for (const { waitMs } of counts) expect(waitMs).toBeGreaterThan(50_000);
    expect((await limits.count('other', 5, 60_000)).count).toBe(1);
    await limits.forgive('k', 2);
    expect((await limits.count('k', 5, 60_000)).count).toBe(5);
    await limits.forgive('k');
    expect((await limits.count('k', 5, 1)).count).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await limits.count('k', 5, 60_000)).count).toBe(1);
  });

  it('answers nothing once it is closed', async () => {
    const store = await open();
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
    await expect(store.ping()).rejects.toThrow(/closed/);
  });
});

async function pagesOf(store: Store, gallery: number, limit: number): Promise<string[]> {
  const paged: string[] = [];
  for (;;) {
    const after = paged.at(-1);
    const page = await store.faces.list(gallery, { limit, ...(after === undefined ? {} : { after }) });
    paged.push(...page.map((person) => person.userId));
    if (page.length < limit) return paged;
  }
}
