import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import { createTemplateVault } from '../../src/security/template-vault.ts';
import { openFaceReader } from '../../src/store/face-reader.ts';
import type { GalleryRecord, Store } from '../../src/store/store.ts';
import { face, newGallery, openStore, unlimited } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { drawVectors } from '../support/vectors.ts';
import { describeStores } from './kinds.ts';

const vault = createTemplateVault(randomBytes(32));
const rows = drawVectors('spread', 21, 64, 2200);
const probe = rows.pop()!;

/** A gallery large enough to be read by another thread. */
async function filled(store: Store): Promise<GalleryRecord> {
  await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
  const made = await store.galleries.create('a', 'main', (id) => vault.wrapNewKey('a', id));
  if (typeof made === 'string') throw new Error(made);
  const lock = vault.gallery(made);
  const enrol = (template: Float32Array, i: number) => {
    const row = { userId: `user ${i}`, userName: '', template: lock.seal(`user ${i}`, template) };
    return store.faces.enrol(made.id, { ...row, contract: 'c' }, false);
  };
  for (let i = 0; i < rows.length; i += 100) {
    await Promise.all(rows.slice(i, i + 100).map((row, at) => enrol(row, i + at)));
  }
  return (await store.galleries.get('a', 'main'))!;
}

/** A matcher, and how many faces it has read in this thread. */
function matching(store: Store) {
  const read = { here: 0, warnings: [] as string[] };
  const matcher = createExactMatcher({
    vault,
    reader: store.readerAddress,
    warn: (line) => read.warnings.push(line),
    faces: {
      ...store.faces,
      slice: async (...asked) => {
        const slice = await store.faces.slice(...asked);
        read.here += slice?.faces.length ?? 0;
        return slice;
      },
    },
  });
  onTestFinished(() => matcher.close());
  return { matcher, read };
}

function best(without: readonly number[] = []): string[] {
  const scores = rows.map((row, i) => ({
    user: `user ${i}`,
    score: row.reduce((sum, value, at) => sum + value * probe[at]!, 0),
  }));
  const left = scores.filter((_, i) => !without.includes(i)).sort((a, b) => b.score - a.score);
  return left.slice(0, 5).map(({ user }) => user);
}

const usersOf = (matches: readonly { userId: string }[]) => matches.map(({ userId }) => userId);

describeStores('a reader of faces', (open) => {
  it('reads in another connection what the store has written', async () => {
    const store = await open();
    const { id } = await newGallery(store);
    for (const user of ['u', 'v', 'w']) await store.faces.enrol(id, face(user), false);
    await store.faces.remove(id, 'v');
    const reader = await openFaceReader(store.readerAddress);
    expect(await reader.slice(id, 0, 10)).toEqual(await store.faces.slice(id, 0, 10));
    expect((await reader.slice(id, 1, 1))?.faces[0]?.userId).toBe('w');
    await store.faces.enrol(id, face('x'), false);
    expect((await reader.slice(id, 3, 10))?.faces[0]?.userId).toBe('x');
    expect(await reader.slice(id + 1, 0, 10)).toBeNull();
    await reader.close();
  });

  it('is what large galleries are read with, in another thread', async () => {
    const store = await open();
    const gallery = await filled(store);
    const { matcher, read } = matching(store);
    expect(usersOf(await matcher.search(gallery, probe, 5))).toEqual(best());
    expect(read).toEqual({ here: 0, warnings: [] });
  }, 60_000);
});

it('reads what is written and erased while another thread reads', async () => {
  const store = openStore();
  const gallery = await filled(store);
  const { matcher, read } = matching(store);
  const answer = matcher.search(gallery, probe, 5);
  const gone = best()
    .slice(0, 2)
    .map((user) => Number(user.slice(5)));
  for (const i of gone) {
    const version = await store.faces.remove(gallery.id, `user ${i}`);
    matcher.removed(gallery.id, `user ${i}`, version as number);
  }
  const found = usersOf(await answer);
  expect([best(), best(gone.slice(0, 1)), best(gone)]).toContainEqual(found);
  const now = (await store.galleries.get('a', 'main'))!;
  expect(usersOf(await matcher.search(now, probe, 5))).toEqual(best(gone));
  expect(read.warnings).toEqual([]);
});

it('goes on without the thread when that is lost, and says so', async () => {
  const store = openStore();
  const gallery = await filled(store);
  const { matcher, read } = matching(store);
  process.once('worker', (worker) => worker.once('online', () => void worker.terminate()));
  expect(usersOf(await matcher.search(gallery, probe, 5))).toEqual(best());
  expect(read.here).toBe(rows.length);
  expect(read.warnings).toEqual(['the thread that loads galleries was lost: it ended']);
});

it('answers nothing of a gallery that is erased while it is read, and keeps neither its key nor its faces', async () => {
  const store = openStore();
  const gallery = await filled(store);
  const keys: Uint8Array[] = [];
  const spied = { ...vault, sharedKey: (lock: GalleryRecord) => keys[keys.push(vault.sharedKey(lock)) - 1]! };
  const matcher = createExactMatcher({ faces: store.faces, vault: spied, reader: store.readerAddress });
  onTestFinished(() => matcher.close());
  const answer = matcher.search(gallery, probe, 5);
  while (keys.length === 0) await nextTurn();
  expect(keys[0]!.some((byte) => byte !== 0)).toBe(true);
  const erased = store.galleries.remove('a', 'main');
  matcher.dropped(gallery.id);
  expect(keys[0]!.every((byte) => byte === 0)).toBe(true);
  await erased;
  expect(await answer).toEqual([]);
  expect(matcher.held()).toEqual([]);
});

it('ends while a gallery is read, and leaves the files as they are', async () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  const gallery = await filled(store);
  const { matcher } = matching(store);
  const answer = matcher.search(gallery, probe, 5).then(usersOf);
  await matcher.close();
  expect(await answer).toEqual(best());
  await expect(matcher.search({ ...gallery, id: 99 }, probe, 5)).resolves.toEqual([]);
  await store.close();
  expect(statSync(join(directory, 'wajah.db')).size).toBeGreaterThan(rows.length * 64);
  expect(statSync(join(directory, 'wajah.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});
