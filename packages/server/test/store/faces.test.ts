import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '../../src/store/ports/store.ts';
import { compareCodePoints } from '../support/code-points.ts';
import { allFaces, face, newGallery, unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

describeStores('faces of a store', (open) => {
  it('are refused with a reason: gone, embedding-spec, exists, quota, changed', async () => {
    const store = await open();
    const { id } = await newGallery(store, 'a', { ...unlimited, faces: 1 });
    expect(await store.faces.put(id + 1, face('u'), false)).toBe('gone');
    expect(await store.faces.put(id, face('u'), false)).toBe(1);
    expect(await store.faces.put(id, { ...face('v'), embeddingSpec: 'other' }, false)).toBe('embedding-spec');
    expect(await store.faces.put(id, face('u'), false)).toBe('exists');
    expect(await store.faces.put(id, face('v'), false)).toBe('quota');
    expect(await store.faces.put(id, face('u', 'late'), true, 0)).toBe('changed');
    expect(await store.faces.put(id, face('u', 'new'), true, 1)).toBe(2);
    expect(await store.faces.get(id, 'u')).toMatchObject({ userName: 'name of new', seq: 2 });
    expect(await store.faces.remove(id, 'nobody')).toBe(false);
    expect(await store.faces.remove(id, 'u')).toBe(3);
    expect(await store.galleries.get('a', 'main')).toMatchObject({
      version: 3,
      faces: 0,
      embeddingSpec: null,
    });
    expect(await store.faces.put(id, { ...face('v'), embeddingSpec: 'other' }, false)).toBe(4);
  });

  it('never exceed a quota that galleries share, with concurrent calls', async () => {
    const store = await open();
    const one = await newGallery(store, 'a', { ...unlimited, faces: 7 });
    const two = await store.galleries.create('a', 'two', () => Buffer.alloc(1));
    if (typeof two === 'string') throw new Error(two);
    const calls = Array.from({ length: 30 }, (_, i) =>
      store.faces.put(i % 2 ? one.id : two.id, face(`u${i}`), false),
    );
    const written = await Promise.all(calls);
    expect(written.filter((answer) => typeof answer === 'number')).toHaveLength(7);
    expect(written.filter((answer) => answer === 'quota')).toHaveLength(23);
    expect((await store.clients.get('a'))?.used.faces).toBe(7);
  });

  it('get versions without gap or repetition, and one user_id once, with concurrent calls', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const calls = Array.from({ length: 60 }, (_, i) => store.faces.put(id, face(`u${i % 40}`), false));
    const written = await Promise.all(calls);
    expect(written.filter((answer) => answer === 'exists')).toHaveLength(20);
    const seqs = written.filter((answer) => typeof answer === 'number').sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 40, faces: 40 });
  });

  it('are written by one of the callers with the same version', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const calls = Array.from({ length: 12 }, (_, i) => store.faces.put(id, face(`u${i}`), false, 0));
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
          for (const user of ids) await store.faces.put(id, face(user), false);
          const expected = [...ids].sort(compareCodePoints);
          expect((await store.faces.list(id)).map((person) => person.userId)).toEqual(expected);
          expect(await pagesOf(store, id, limit)).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('with U+0000 in their text are refused', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    await expect(store.faces.put(id, face('a\0b'), false)).rejects.toThrow('U+0000');
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 0, faces: 0 });
  });

  it('keep their bytes, and their creation time when they are replaced', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    const template = Uint8Array.from({ length: 3000 }, (_, i) => (i * 31) % 256);
    await store.faces.put(id, { ...face('u'), template }, false);
    const before = await store.faces.get(id, 'u');
    expect(Buffer.from(before!.template).equals(template)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await store.faces.put(id, face('u', 'new'), true);
    const after = await store.faces.get(id, 'u');
    expect(after?.createdAt).toEqual(before?.createdAt);
    expect(after!.updatedAt.getTime()).toBeGreaterThan(before!.updatedAt.getTime());
  });

  it('are read as a consistent snapshot, in slices or whole, while others write and remove', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    for (let i = 0; i < 25; i++) await store.faces.put(id, face(`u${i}`), false);
    let reading = true;
    const writing = (async () => {
      for (let i = 0; reading; i++) {
        await store.faces.remove(id, `u${i % 25}`);
        await store.faces.put(id, face(`u${i % 25}`, `again ${i}`), true);
      }
    })();
    for (let i = 0; i < 30; i++) {
      const whole = await allFaces(store, id);
      expect(whole?.faces).toHaveLength(whole?.total ?? Number.NaN);
      const part = await store.faces.slice(id, 0, 1000);
      expect(part?.faces).toHaveLength(part?.total ?? Number.NaN);
      expect(part?.faces.at(-1)?.seq).toBeLessThanOrEqual(part?.version ?? -1);
    }
    reading = false;
    await writing;
  });

  it('are read from a version on, and null for a deleted gallery', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    for (const user of ['a', 'b', 'c']) await store.faces.put(id, face(user), false);
    await store.faces.put(id, face('a', 'again'), true);
    await store.faces.remove(id, 'b');
    const news = await allFaces(store, id, 3);
    expect(news).toMatchObject({ version: 5, total: 2 });
    expect(news?.faces.map((f) => [f.userId, f.seq])).toEqual([['a', 4]]);
    const slices = [await store.faces.slice(id, 0, 1), await store.faces.slice(id, 3, 1)];
    expect(slices.map((slice) => slice?.faces.map((f) => f.seq))).toEqual([[3], [4]]);
    expect(await store.faces.slice(id, 5, 10)).toEqual({ version: 5, total: 2, faces: [] });
    await store.galleries.remove('alice', 'main');
    expect(await allFaces(store, id)).toBeNull();
    expect(await store.faces.slice(id, 0, 10)).toBeNull();
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
