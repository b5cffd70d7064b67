import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { allFaces, face, newGallery } from './store.ts';

/** When galleries are switched. */
export const at = new Date(1_700_000_000_000);
/** Users of the gallery. */
export const names = Array.from({ length: 1200 }, (_, i) => `u${i}`);
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (given: Uint8Array) => Buffer.from(given).toString();

/** A gallery with templates for `c2`, from which every tenth is left out. */
export async function ready(store: Store): Promise<number> {
  const { id } = await newGallery(store);
  await Promise.all(names.map((name) => store.faces.enrol(id, face(name), false)));
  await store.templateMigration.begin(id, 'c2');
  const waiting = await store.templateMigration.nextPending(id, 'c2', 0, names.length);
  expect(waiting.map(({ userId }) => userId)).toEqual(names);
  const made = waiting.map(({ userId, seq }) => ({
    userId,
    seq,
    template: seq % 10 === 0 ? null : bytes(`new ${userId}`),
  }));
  expect(await store.templateMigration.storeTemplates(id, 'c2', made)).toBe(true);
  return id;
}

export const galleryOf = async (store: Store) => (await store.galleries.get('alice', 'main'))!;

/**
 * The switch is complete: every face that was not left out is there once.
 * @param written changes made meanwhile: template by user_id; null: removed
 */
export async function expectSwitched(
  store: Store,
  id: number,
  written: Record<string, string | null> = {},
): Promise<void> {
  const snapshot = (await allFaces(store, id))!;
  const gallery = await galleryOf(store);
  const kept = names
    .filter((_, i) => i % 10 !== 9)
    .map((name): [string, string | null] => [name, `new ${name}`]);
  const meant = Object.entries({ ...Object.fromEntries(kept), ...written }).filter(
    ([, template]) => template !== null,
  );
  const found = new Map(snapshot.faces.map(({ userId, template }) => [userId, text(template)]));
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(meant));
  expect(gallery).toMatchObject({
    embeddingSpec: 'c2',
    migrating: false,
    faces: found.size,
    migrated: { from: 'c', at },
  });
  expect(new Set(snapshot.faces.map(({ seq }) => seq)).size).toBe(found.size);
  expect(Math.max(...snapshot.faces.map(({ seq }) => seq))).toBeLessThanOrEqual(gallery.version);
  expect((await store.clients.get('alice'))?.used.faces).toBe(found.size);
  expect(await store.templateMigration.countPending(id, 'c2')).toBeNull();
  expect(await store.templateMigration.switchGallery(id, 'c2', at)).toBeNull();
}
