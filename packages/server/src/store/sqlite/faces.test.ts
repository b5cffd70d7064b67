import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { face, newGallery, openStore, unlimited } from '../../../test/support/store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { compareCodePoints } from '../../matching/code-points.ts';
import { SqliteDatabase } from './database.ts';
import { sqliteFaces } from './faces.ts';

describe('faces', () => {
  it('are refused by name: gone, contract, exists, quota', async () => {
    const store = openStore();
    const { id } = await newGallery(store, 'a', { ...unlimited, faces: 1 });
    expect(await store.faces.enrol(id + 1, face('u'), false)).toBe('gone');
    expect(await store.faces.enrol(id, face('u'), false)).toBe(1);
    expect(await store.faces.enrol(id, { ...face('v'), contract: 'other' }, false)).toBe('contract');
    expect(await store.faces.enrol(id, face('u'), false)).toBe('exists');
    expect(await store.faces.enrol(id, face('v'), false)).toBe('quota');
    expect(await store.faces.enrol(id, face('u', 'new'), true)).toBe(2);
    expect(await store.faces.get(id, 'u')).toMatchObject({ userName: 'name of new', seq: 2 });
    expect(await store.faces.remove(id, 'nobody')).toBe(false);
    expect(await store.faces.remove(id, 'u')).toBe(3);
    expect(await store.galleries.get('a', 'main')).toMatchObject({ version: 3, faces: 0, contract: null });
    expect(await store.faces.enrol(id, { ...face('v'), contract: 'other' }, false)).toBe(4);
  });

  it('never overdraw a quota that galleries share, however many come at once', async () => {
    const store = openStore();
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

  it('are listed in the order of code points, page by page', async () => {
    const userId = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 4 })
      .filter((text) => !text.includes('\0'));
    const store = openStore();
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
          const paged: string[] = [];
          for (;;) {
            const after = paged.at(-1);
            const page = await store.faces.list(id, { limit, ...(after === undefined ? {} : { after }) });
            paged.push(...page.map((person) => person.userId));
            if (page.length < limit) break;
          }
          expect(paged).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('are not stored under a name that would be read back shorter', async () => {
    const store = openStore();
    const { id } = await newGallery(store);
    await expect(store.faces.enrol(id, face('a\0b'), false)).rejects.toThrow('U+0000');
    expect(await store.galleries.get('alice', 'main')).toMatchObject({ version: 0, faces: 0 });
  });

  it('keep their first date when they are replaced', async () => {
    const store = openStore();
    const { id } = await newGallery(store);
    await store.faces.enrol(id, face('u'), false);
    const before = await store.faces.get(id, 'u');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await store.faces.enrol(id, face('u', 'new'), true);
    const after = await store.faces.get(id, 'u');
    expect(after?.createdAt).toEqual(before?.createdAt);
    expect(after!.updatedAt.getTime()).toBeGreaterThan(before!.updatedAt.getTime());
  });
});

describe('loading', () => {
  it('answers as of one moment while others write, replace and remove', async () => {
    const directory = temporaryDirectory();
    const store = openStore(directory);
    const { id } = await newGallery(store);
    const truth = [new Map<string, string>()];
    const note = (change: (now: Map<string, string>) => void) => {
      const now = new Map(truth.at(-1));
      change(now);
      truth.push(now);
    };
    const enrol = async (userId: string, text: string) => {
      await store.faces.enrol(id, face(userId, text), true);
      note((now) => now.set(userId, `name of ${text}`));
    };
    for (let i = 0; i < 60; i++) await enrol(`u${i}`, `u${i}`);

    const reader = new SqliteDatabase(join(directory, 'wajah.db'));
    let loading = true;
    const load = sqliteFaces(reader, 10)
      .load(id)
      .finally(() => {
        loading = false;
      });
    for (let i = 0; loading; i += 3) {
      const gone = `u${i % 60}`;
      if (await store.faces.remove(id, gone)) note((now) => now.delete(gone));
      await enrol(`u${(i + 1) % 60}`, `replaced ${i}`);
      await enrol(`new ${i}`, `new ${i}`);
      await nextTurn();
    }
    const snapshot = await load;
    reader.close();
    expect(snapshot!.version).toBeGreaterThan(60);
    const expected = truth[snapshot!.version]!;
    expect(new Map(snapshot!.faces.map((f) => [f.userId, f.userName]))).toEqual(expected);
    expect(snapshot!.total).toBe(expected.size);
    const seqs = snapshot!.faces.map((f) => f.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  it('answers what is newer than a version, and null for a gallery that is gone', async () => {
    const store = openStore();
    const { id } = await newGallery(store);
    for (const user of ['a', 'b', 'c']) await store.faces.enrol(id, face(user), false);
    await store.faces.enrol(id, face('a', 'again'), true);
    await store.faces.remove(id, 'b');
    const news = await store.faces.load(id, 3);
    expect(news).toMatchObject({ version: 5, total: 2 });
    expect(news?.faces.map((f) => [f.userId, f.seq])).toEqual([['a', 4]]);
    await store.galleries.remove('alice', 'main');
    expect(await store.faces.load(id)).toBeNull();
  });
});
