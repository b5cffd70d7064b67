import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Rehearsal } from '../../test/support/rehearsal.ts';
import { rounds } from '../../test/support/rounds.ts';
import { openStore, unlimited } from '../../test/support/store.ts';
import { drawVectors } from '../../test/support/vectors.ts';
import { createTemplateVault } from '../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../store/ports/galleries.ts';
import type { FaceSource } from './cached-gallery.ts';
import { createExactMatcher } from './exact-matcher.ts';

const vault = createTemplateVault(randomBytes(32));

async function stand(budget?: number) {
  const store = openStore();
  await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
  let loads = 0;
  const faces: FaceSource = {
    ...store.faces,
    slice: (...asked) => {
      loads++;
      return store.faces.slice(...asked);
    },
  };
  const matcher = createExactMatcher({ faces, vault, ...(budget === undefined ? {} : { budget }) });
  return { store, matcher, loads: () => loads };
}

type Stand = Awaited<ReturnType<typeof stand>>;

async function gallery({ store }: Stand, name = 'main'): Promise<GalleryRecord> {
  const known = await store.galleries.get('a', name);
  const record = known ?? (await store.galleries.create('a', name, (id) => vault.wrapNewKey('a', id)));
  if (typeof record === 'string') throw new Error(`no gallery ${name}`);
  return record;
}

async function enrol({ store, matcher }: Stand, record: GalleryRecord, userId: string, values: number[]) {
  const template = Float32Array.from(values);
  const sealed = vault.gallery(record).seal(userId, template);
  const row = { userId, userName: `name of ${userId}`, template: sealed, embeddingSpec: 'c' };
  const seq = await store.faces.put(record.id, row, true);
  if (typeof seq !== 'number') throw new Error(seq);
  return () => matcher.faceEnrolled(record.id, { userId, userName: row.userName, template, seq });
}

async function search(s: Stand, values: number[], k = 10, name = 'main') {
  const matches = await s.matcher.search(await gallery(s, name), Float32Array.from(values), k);
  return matches.map(({ userId, score }) => [userId, score]);
}

describe('the exact matcher', () => {
  it('answers best first, ties by code points of user_id, with names', async () => {
    const s = await stand();
    const g = await gallery(s);
    expect(await search(s, [1, 0])).toEqual([]);
    for (const [userId, values] of [
      ['\u{1f600}', [1, 0]],
      ['\uffee', [1, 0]],
      ['b', [0.5, 1]],
      ['a', [-1, 0]],
    ] as const) {
      (await enrol(s, g, userId, [...values]))();
    }
    expect(await search(s, [1, 0])).toEqual([
      ['\uffee', 1],
      ['\u{1f600}', 1],
      ['b', 0.5],
      ['a', -1],
    ]);
    expect(await search(s, [1, 0], 1)).toEqual([['\uffee', 1]]);
    expect((await s.matcher.search(await gallery(s), Float32Array.of(0, 1), 1))[0]?.userName).toBe(
      'name of b',
    );
  });

  it('loads a gallery once for concurrent searches, then applies reported changes', async () => {
    const s = await stand();
    const g = await gallery(s);
    for (const user of ['u', 'v']) await enrol(s, g, user, [1, 1]);
    await Promise.all(Array.from({ length: 8 }, () => search(s, [1, 0])));
    expect(s.loads()).toBe(1);
    (await enrol(s, g, 'w', [2, 0]))();
    const version = await s.store.faces.remove(g.id, 'u');
    s.matcher.faceRemoved(g.id, 'u', version as number);
    expect(await search(s, [1, 0])).toEqual([
      ['w', 2],
      ['v', 1],
    ]);
    expect(s.loads()).toBe(1);
  });

  it('reads changes that were not reported: faces, replaced faces, removals', async () => {
    const s = await stand();
    const g = await gallery(s);
    for (const user of ['u', 'v', 'w']) (await enrol(s, g, user, [1, 1]))();
    await search(s, [1, 0]);
    await enrol(s, g, 'v', [5, 0]);
    expect(await search(s, [1, 0])).toEqual([
      ['v', 5],
      ['u', 1],
      ['w', 1],
    ]);
    await s.store.faces.remove(g.id, 'u');
    await enrol(s, g, 'x', [3, 0]);
    expect(await search(s, [1, 0])).toEqual([
      ['v', 5],
      ['x', 3],
      ['w', 1],
    ]);
    await s.store.faces.remove(g.id, 'v');
    await enrol(s, g, 'v', [0, 0]);
    expect(await search(s, [1, 0])).toEqual([
      ['x', 3],
      ['w', 1],
      ['v', 0],
    ]);
  });

  it('accepts reported changes in any order', async () => {
    const s = await stand();
    const g = await gallery(s);
    (await enrol(s, g, 'first', [1]))();
    await search(s, [1]);
    const notifications = [
      await enrol(s, g, 'u', [2]),
      await enrol(s, g, 'u', [3]),
      await enrol(s, g, 'v', [1]),
    ];
    for (const notify of notifications.reverse()) notify();
    expect(await search(s, [1])).toEqual([
      ['u', 3],
      ['first', 1],
      ['v', 1],
    ]);
    expect(s.loads()).toBe(1);
    for (const notify of notifications) notify();
    expect(await search(s, [1], 1)).toEqual([['u', 3]]);
  });

  it('finds nobody of a gallery that was deleted and created again', async () => {
    const s = await stand();
    const g = await gallery(s);
    const late = await enrol(s, g, 'old', [1]);
    await search(s, [1]);
    await s.store.galleries.remove('a', 'main');
    s.matcher.evict(g.id);
    const again = await gallery(s);
    (await enrol(s, again, 'new', [1]))();
    late();
    expect(await search(s, [1])).toEqual([['new', 1]]);
    expect(await s.matcher.search({ ...g, version: 1 }, Float32Array.of(1), 1)).toEqual([]);
  });

  it('accepts templates of another length after a gallery was emptied', async () => {
    const s = await stand();
    const g = await gallery(s);
    (await enrol(s, g, 'u', [1, 2]))();
    await search(s, [1, 0]);
    await s.store.faces.remove(g.id, 'u');
    await enrol(s, g, 'v', [1, 2, 3]);
    expect(await search(s, [1, 0, 0])).toEqual([['v', 1]]);
    await expect(search(s, [1, 0])).rejects.toThrow('2 dimensions');
  });

  it('leaves out a tampered template, and finds it when it is restored', async () => {
    const s = await stand();
    const g = await gallery(s);
    await enrol(s, g, 'u', [1]);
    const slice: FaceSource['slice'] = async (...asked) => {
      const snapshot = await s.store.faces.slice(...asked);
      const faces = snapshot!.faces.map((face) => ({ ...face, userId: 'somebody else' }));
      return { ...snapshot!, faces };
    };
    const fooled = createExactMatcher({ faces: { ...s.store.faces, slice }, vault });
    expect(await fooled.search(await gallery(s), Float32Array.of(1), 1)).toEqual([]);
    expect(await search(s, [1])).toEqual([['u', 1]]);
  });

  it('evicts only the least recently used gallery when the memory budget is exceeded', async () => {
    const s = await stand(300_000);
    const names = ['one', 'two', 'three'];
    for (const name of names) {
      const g = await gallery(s, name);
      for (let i = 0; i < 4; i++) await enrol(s, g, `u${i}`, [1, i]);
    }
    for (const name of ['one', 'two', 'one', 'three']) await search(s, [1, 0], 1, name);
    expect(s.loads()).toBe(3);
    await search(s, [1, 0], 1, 'one');
    expect(s.loads()).toBe(3);
    await search(s, [1, 0], 1, 'two');
    expect(s.loads()).toBe(4);
  });
});

describe('the exact matcher under concurrency', () => {
  it.each([
    { seed: 1, budget: 300_000, where: 'in this thread, short of memory' },
    { seed: 2, budget: 2 ** 30, where: 'in this thread' },
    { seed: 3, budget: 300_000, where: 'in workers, short of memory' },
    { seed: 4, budget: 2 ** 30, where: 'in workers' },
    { seed: 7, budget: 2 ** 30, where: 'on three servers' },
    { seed: 8, budget: 300_000, where: 'on three servers, in workers, short of memory' },
    { seed: 9, budget: 2 ** 30, where: 'on three servers, in workers' },
  ])('returns only results that were valid during the search ($where)', async ({ seed, budget, where }) => {
    const scanner = where.includes('workers') ? { workersFrom: 0, partBytes: 1 } : {};
    const servers = where.includes('three servers') ? 3 : 1;
    const rehearsal = new Rehearsal({ seed, store: openStore(), vault, budget, scanner, servers });
    await rehearsal.run({ workers: 8, steps: rounds(25) });
    expect(rehearsal.searches).toBeGreaterThan(rounds(30));
    expect(rehearsal.wrong).toEqual([]);
  });
});

describe('many galleries and large ones', () => {
  it('reads a thousand active galleries once each', async () => {
    const s = await stand();
    const names = Array.from({ length: 1000 }, (_, i) => `gallery ${i}`);
    // At once: so they share the waits for the disk.
    await Promise.all(names.map(async (name) => enrol(s, await gallery(s, name), 'v', [0, 1])));
    for (let round = 0; round < 3; round++) {
      for (const name of names) expect(await search(s, [0, 1], 1, name)).toEqual([['v', 1]]);
    }
    expect(s.loads()).toBe(1000);
  });

  it('refuses a gallery beyond the memory budget, and searches it after it has shrunk', async () => {
    const s = await stand(200_000);
    const g = await gallery(s);
    const vectors = drawVectors('clustered', 9, 64, 300);
    const probe = [...vectors.pop()!];
    const users = vectors.map((_, row) => `user ${row}`);
    await Promise.all(vectors.slice(0, 100).map((values, row) => enrol(s, g, users[row]!, [...values])));
    expect(await search(s, probe, 1)).toHaveLength(1);
    await Promise.all(vectors.slice(100).map((values, row) => enrol(s, g, users[100 + row]!, [...values])));
    await expect(search(s, probe, 5)).rejects.toMatchObject({
      status: 'denied',
      detail: expect.stringMatching(/found 300 people.*WAJAH_MATCH_MEMORY_MB/),
    });
    expect(s.matcher.memoryUse()).toEqual({ galleries: 0, bytes: 0 });
    for (const user of users.slice(0, 250)) await s.store.faces.remove(g.id, user);
    expect(await search(s, probe, 60)).toHaveLength(50);
  });

  it('holds no event loop for long while many people have one score', async () => {
    const s = await stand();
    const g = await gallery(s);
    await Promise.all(Array.from({ length: 3000 }, (_, i) => enrol(s, g, `u${9999 - i}`, [1, 0])));
    expect(await search(s, [1, 0], 3)).toEqual([
      ['u7000', 1],
      ['u7001', 1],
      ['u7002', 1],
    ]);
  });
});
