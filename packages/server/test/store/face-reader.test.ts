import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import { meanOf } from '../../src/security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../src/store/gallery-store.ts';
import { openFaceReader } from '../../src/store/readers.ts';
import type { Store } from '../../src/store/store.ts';
import {
  bestOf,
  enrolLarge,
  fillLarge,
  largeFaces,
  largePeople,
  largeProbe,
  largeVault,
} from '../support/large-gallery.ts';
import { face, newGallery, openPreparedStore } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { drawVectors } from '../support/vectors.ts';
import { describeStores } from './kinds.ts';

const people = largePeople();
const best = (without: readonly string[] = []) => bestOf(people, without);

/** A matcher, and how many faces and names it has read in this thread. */
function matching(store: Store, budget: number, vault = largeVault, largeFrom = 1000) {
  const read = { here: 0, warnings: [] as string[] };
  const damaged: number[] = [];
  const matcher = createExactMatcher({
    vault,
    budget,
    largeFrom,
    reader: store.readerOptions,
    warn: (line) => read.warnings.push(line),
    onDamage: (_, seq) => void damaged.push(seq),
    faces: {
      ...store.faces,
      slice: async (...asked) => {
        const slice = await store.faces.slice(...asked);
        read.here += slice?.faces.length ?? 0;
        return slice;
      },
      list: async (...asked) => {
        const list = await store.faces.list(...asked);
        read.here += list.length;
        return list;
      },
    },
  });
  onTestFinished(() => matcher.close());
  const search = async (gallery: GalleryRecord) => {
    const matches = await matcher.search(gallery, largeProbe, 5);
    return matches.map(({ userId, score }): [string, number] => [userId, score]);
  };
  return { matcher, read, damaged, search };
}

async function filled(open: (prepare: typeof fillLarge) => Promise<Store>) {
  const store = await open(fillLarge);
  return { store, gallery: (await store.galleries.get('a', 'main'))! };
}

describeStores('a reader of faces', (open) => {
  it('reads over another connection the faces that the store has written', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    for (const user of ['u', 'v', 'w']) await store.faces.enrol(id, face(user), false);
    await store.faces.remove(id, 'v');
    const reader = await openFaceReader(store.readerOptions);
    expect(await reader.slice(id, 0, 10)).toEqual(await store.faces.slice(id, 0, 10));
    expect((await reader.slice(id, 1, 1))?.faces[0]?.userId).toBe('w');
    expect(await reader.get(id, 'v')).toBeNull();
    await store.faces.enrol(id, face('x'), false);
    expect((await reader.slice(id, 3, 10))?.faces[0]?.userId).toBe('x');
    expect(await reader.get(id, 'x')).toEqual(await store.faces.get(id, 'x'));
    expect(await reader.list(id)).toEqual(await store.faces.list(id));
    expect(await reader.slice(id + 1, 0, 10)).toBeNull();
    await reader.close();
  });

  it('reads large galleries in another thread', async () => {
    const { store, gallery } = await filled(open);
    for (const budget of [2 ** 30, 0]) {
      const { search, read } = matching(store, budget);
      expect(await search(gallery)).toEqual(best());
      expect(read).toEqual({ here: 0, warnings: [] });
    }
  });

  it.each([
    ['in memory, built by a worker', 2 ** 30, 1000],
    ['in memory, built here', 2 ** 30, 1_000_000],
    ['read at each search by a worker', 0, 1000],
    ['read at each search here', 0, 1_000_000],
  ])('leaves out templates that do not open: %s', async (_, budget, largeFrom) => {
    const { store, gallery } = await filled(open);
    const users = best()
      .slice(1, 3)
      .map(([user]) => user);
    const faces = await Promise.all(users.map(async (user) => (await store.faces.get(gallery.id, user))!));
    for (const name of users) {
      await store.sealed.replace('template', gallery.id, { name, part: 0 }, Buffer.alloc(60, 1));
    }
    const { search, damaged, matcher } = matching(store, budget, largeVault, largeFrom);
    for (let i = 0; i < 2; i++) expect(await search(gallery)).toEqual(best(users));
    const seqs = (await store.faces.slice(gallery.id, 0, 1_000_000))!.faces
      .filter(({ userId }) => users.includes(userId))
      .map(({ seq }) => seq);
    expect(new Set(damaged)).toEqual(new Set(seqs));
    // One of them is removed, the other one enrolled again.
    await store.faces.remove(gallery.id, users[0]!);
    await store.sealed.replace('template', gallery.id, { name: users[1]!, part: 0 }, faces[1]!.template);
    const again = { ...faces[1]!, template: faces[1]!.template };
    await store.faces.enrol(gallery.id, again, true);
    const newest = (await store.galleries.get('a', 'main'))!;
    expect(await search(newest)).toEqual(best([users[0]!]));
    matcher.evict(gallery.id);
  });

  it('reads changes of other servers in a cached gallery, removals included', async () => {
    const { store, gallery } = await filled(open);
    const { search, read } = matching(store, 2 ** 30, largeVault, 100);
    expect(await search(gallery)).toEqual(best());
    const now = new Map(people);
    for (const [user] of best().slice(1, 3)) {
      await store.faces.remove(gallery.id, user);
      now.delete(user);
    }
    const vectors = drawVectors('spread', 23, 64, 149);
    const later = vectors.map((vector, i): [string, Float32Array[]] => [
      `user ${i * 2 + 500}`,
      i % 3 === 0 ? [vector, largeProbe] : [vector],
    ]);
    await Promise.all(later.map(([user, own]) => enrolLarge(store, gallery, user, own)));
    for (const [user, own] of later) now.set(user, meanOf(own));
    const newest = (await store.galleries.get('a', 'main'))!;
    expect(newest.version).toBe(gallery.version + 152);
    expect(await search(newest)).toEqual(bestOf(now));
    expect(await search(newest)).toEqual(bestOf(now));
    expect(read).toEqual({ here: 0, warnings: [] });
  });

  it('returns results valid during the search of a gallery beyond the memory budget, while others write', async () => {
    const { store, gallery } = await filled(open);
    const { search, read } = matching(store, 0);
    // Few people, so that each search ends: it reads until nothing has changed.
    const vectors = drawVectors('spread', 22, 64, 9);
    const history = new Map([[gallery.version, people]]);
    let now = people;
    const write = async () => {
      for (const [i, vector] of vectors.entries()) {
        const [gone] = bestOf(now)[i % 5]!;
        const left = new Map(now);
        left.delete(gone);
        history.set((await store.faces.remove(gallery.id, gone)) as number, left);
        await pause(5);
        // Among the best, with one template or two.
        const mixed = meanOf([vector, largeProbe]);
        now = new Map(left).set(`late ${i}`, mixed);
        const own = i % 2 === 0 ? [mixed] : [vector, largeProbe];
        history.set(await enrolLarge(store, gallery, `late ${i}`, own), now);
        await pause(5);
      }
    };
    // By then the thread has started.
    expect(await search(gallery)).toEqual(best());
    let writing = true;
    const written = write().finally(() => {
      writing = false;
    });
    const versionNow = async () => (await store.galleries.get('a', 'main'))!;
    const asked: { from: number; to: number; found: [string, number][] }[] = [];
    for (let last = false; !last; ) {
      last = !writing;
      const before = await versionNow();
      const found = await search(before);
      asked.push({ from: before.version, to: (await versionNow()).version, found });
    }
    await written;
    for (const { from, to, found } of asked) {
      const possible = Array.from({ length: to - from + 1 }, (_, i) => bestOf(history.get(from + i)!));
      expect(possible).toContainEqual(found);
    }
    expect(asked.some(({ from, to }) => to > from)).toBe(true);
    expect(read).toEqual({ here: 0, warnings: [] });
  });
});

describe.each([
  { where: 'in memory', budget: 2 ** 30 },
  { where: 'in the store, since memory cannot hold it', budget: 0 },
])('a thread that reads a gallery, searched $where', ({ budget }) => {
  it('reads consistent slices while the store writes and erases', async () => {
    const { store, gallery } = await filled(openPreparedStore);
    const { matcher, read, search } = matching(store, budget);
    const answer = search(gallery);
    const gone = best()
      .slice(0, 2)
      .map(([user]) => user);
    for (const user of gone) {
      const version = await store.faces.remove(gallery.id, user);
      matcher.faceRemoved(gallery.id, user, version as number);
    }
    expect([best(), best(gone.slice(0, 1)), best(gone)]).toContainEqual(await answer);
    const now = (await store.galleries.get('a', 'main'))!;
    expect(await search(now)).toEqual(best(gone));
    expect(read.warnings).toEqual([]);
  });

  it('is replaced by the main thread when the worker is lost, with a warning', async () => {
    const { store, gallery } = await filled(openPreparedStore);
    const { search, read } = matching(store, budget);
    process.once('worker', (worker) => worker.once('online', () => void worker.terminate()));
    expect(await search(gallery)).toEqual(best());
    expect(read.here).toBe(largeFaces);
    expect(read.warnings).toEqual(['the thread that reads galleries was lost: it ended']);
  });

  it('returns nothing of a gallery erased meanwhile, and keeps neither its key nor its faces', async () => {
    const { store, gallery } = await filled(openPreparedStore);
    const keys: Uint8Array[] = [];
    const sharedKey = (lock: GalleryRecord) => keys[keys.push(largeVault.sharedKey(lock)) - 1]!;
    const { matcher, search } = matching(store, budget, { ...largeVault, sharedKey });
    const answer = search(gallery);
    while (keys.length === 0) await nextTurn();
    expect(keys[0]!.some((byte) => byte !== 0)).toBe(true);
    const erased = store.galleries.remove('a', 'main');
    matcher.evict(gallery.id);
    expect(keys[0]!.every((byte) => byte === 0)).toBe(true);
    await erased;
    expect(await answer).toEqual([]);
    expect(matcher.cachedGalleries()).toEqual([]);
  });

  it('erases the key after a successful read', async () => {
    const { store, gallery } = await filled(openPreparedStore);
    const keys: Uint8Array[] = [];
    const sharedKey = (lock: GalleryRecord) => keys[keys.push(largeVault.sharedKey(lock)) - 1]!;
    const { search } = matching(store, budget, { ...largeVault, sharedKey });
    expect(await search(gallery)).toEqual(best());
    expect(keys.map((key) => key.every((byte) => byte === 0))).toEqual([true]);
  });

  it('can be closed while a gallery is read', async () => {
    const directory = temporaryDirectory();
    const { store, gallery } = await filled((fill) => openPreparedStore(fill, directory));
    const { matcher, search } = matching(store, budget);
    const answer = search(gallery);
    await matcher.close();
    expect(await answer).toEqual(best());
    matcher.evict(gallery.id);
    expect(await search(gallery)).toEqual(best());
    await store.close();
    expect(statSync(join(directory, 'wajah.db')).size).toBeGreaterThan(largeFaces * 64);
    expect(statSync(join(directory, 'wajah.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});
