import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createExactMatcher } from '../../src/matching/exact-matcher.ts';
import { meanOf } from '../../src/security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../src/store/ports/galleries.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { galleryColumns } from '../../src/store/sealed-store.ts';
import {
  bestOf,
  enrolLarge,
  fillLarge,
  largePeople,
  largeProbe,
  largeVault,
} from '../support/large-gallery.ts';
import { rounds } from '../support/rounds.ts';
import { drawVectors, randomNumbers, unitVector } from '../support/vectors.ts';
import { describeStores } from './kinds.ts';

const people = largePeople();
const best = (without: readonly string[] = []) => bestOf(people, without);

/** A matcher over the faces of a store, and what it has read. */
function matching(store: Store, onSlice: () => unknown = () => {}) {
  const read = { slices: 0 };
  const damaged: number[] = [];
  const matcher = createExactMatcher({
    vault: largeVault,
    onDamage: (_, seq) => void damaged.push(seq),
    faces: {
      ...store.faces,
      slice: async (...asked) => {
        read.slices++;
        await onSlice();
        return store.faces.slice(...asked);
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
  return { store, gallery: await newest(store) };
}

const newest = async (store: Store) => (await store.galleries.get('a', 'main'))!;

describeStores('a gallery in memory', (open) => {
  it('leaves out templates that do not open, and finds those that are enrolled again', async () => {
    const { store, gallery } = await filled(open);
    const users = best()
      .slice(1, 3)
      .map(([user]) => user);
    const faces = await Promise.all(users.map(async (user) => (await store.faces.get(gallery.id, user))!));
    for (const name of users) {
      await store.sealed.replace(galleryColumns.template, gallery.id, { name, part: 0 }, Buffer.alloc(60, 1));
    }
    const { search, damaged } = matching(store);
    for (let i = 0; i < 2; i++) expect(await search(gallery)).toEqual(best(users));
    const seqs = (await store.faces.slice(gallery.id, 0, 1_000_000))!.faces
      .filter(({ userId }) => users.includes(userId))
      .map(({ seq }) => seq);
    expect(new Set(damaged)).toEqual(new Set(seqs));
    // One of them is removed, the other one enrolled again.
    await store.faces.remove(gallery.id, users[0]!);
    await store.sealed.replace(
      galleryColumns.template,
      gallery.id,
      { name: users[1]!, part: 0 },
      faces[1]!.template,
    );
    await store.faces.put(gallery.id, faces[1]!, true);
    expect(await search(await newest(store))).toEqual(best([users[0]!]));
  });

  it('follows changes of other servers, removals included', async () => {
    const { store, gallery } = await filled(open);
    const { search } = matching(store);
    expect(await search(gallery)).toEqual(best());
    const now = new Map(people);
    for (const [user] of best().slice(1, 3)) {
      await store.faces.remove(gallery.id, user);
      now.delete(user);
    }
    const vectors = drawVectors('spread', 23, 64, 300);
    const later = vectors.map((vector, i): [string, Float32Array[]] => [
      `user ${i * 2 + 500}`,
      i % 3 === 0 ? [vector, largeProbe] : [vector],
    ]);
    await Promise.all(later.map(([user, own]) => enrolLarge(store, gallery, user, own)));
    for (const [user, own] of later) now.set(user, meanOf(own));
    for (let i = 0; i < 2; i++) expect(await search(await newest(store))).toEqual(bestOf(now));
  });

  it('is consistent while it is read and the store writes and erases', async () => {
    const { store, gallery } = await filled(open);
    const { matcher, search } = matching(store);
    const answer = search(gallery);
    const gone = best()
      .slice(0, 2)
      .map(([user]) => user);
    for (const user of gone) {
      const version = await store.faces.remove(gallery.id, user);
      matcher.faceRemoved(gallery.id, user, version as number);
    }
    expect([best(), best(gone.slice(0, 1)), best(gone)]).toContainEqual(await answer);
    expect(await search(await newest(store))).toEqual(best(gone));
  });

  it('finds nobody when it is erased while it is read, and is dropped', async () => {
    const { store, gallery } = await filled(open);
    let resume = () => {};
    // Else a fast reader has everybody before the store has erased anybody.
    const isErased = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const { matcher, search, read } = matching(store, () => (read.slices > 1 ? isErased : undefined));
    const answer = search(gallery);
    while (read.slices === 0) await nextTurn();
    const erased = store.galleries.remove('a', 'main');
    matcher.evict(gallery.id);
    await erased;
    resume();
    expect(await answer).toEqual([]);
    expect(matcher.cachedGalleries()).toEqual([]);
    expect(matcher.memoryUse().bytes).toBe(0);
  });

  it('is read on by the next search when the store fails in between', async () => {
    const { store, gallery } = await filled(open);
    let failing = false;
    const { search, read } = matching(store, () => {
      if (failing && read.slices === 3) throw new Error('the store is away');
    });
    failing = true;
    await expect(search(gallery)).rejects.toThrow('the store is away');
    expect(await search(gallery)).toEqual(best());
    // One that is current stays searchable.
    failing = false;
    await enrolLarge(store, gallery, 'late', [largeProbe]);
    read.slices = 2;
    failing = true;
    await expect(search(await newest(store))).rejects.toThrow('the store is away');
    expect(await search(gallery)).toEqual(best());
    expect((await search(await newest(store)))[0]?.[0]).toBe('late');
  });

  it('loses no change and keeps nobody erased, whatever happens between the slices', async () => {
    const { store, gallery } = await filled(open);
    const now = new Map(people);
    for (let seed = 41; seed < 41 + rounds(3); seed++) {
      const random = randomNumbers(seed);
      const told: (() => void)[] = [];
      const { matcher, search } = matching(store, async () => {
        for (let changes = Math.floor(random() * 3); changes > 0; changes--) told.push(await change());
        // At once, later, in another order, or never.
        while (random() < 0.6) told.splice(Math.floor(random() * told.length), 1)[0]?.();
      });
      const change = async () => {
        const userId = `user ${Math.floor(random() * 1500)}`;
        const version = random() < 0.5 && (await store.faces.remove(gallery.id, userId));
        if (typeof version === 'number') {
          now.delete(userId);
          return () => matcher.faceRemoved(gallery.id, userId, version);
        }
        const template = unitVector(random, largeProbe.length);
        const seq = await enrolLarge(store, gallery, userId, [template]);
        now.set(userId, template);
        return () => matcher.faceEnrolled(gallery.id, { userId, userName: '', template, seq });
      };
      const current = await newest(store);
      await Promise.all([matcher.open(current, largeProbe.length), search(current), search(current)]);
      for (const tell of told.splice(0)) if (random() < 0.5) tell();
      expect(await search(await newest(store))).toEqual(bestOf(now));
    }
  });
});
