import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ended, linesOf, startChild } from '../support/child.ts';
import { allFaces, face, newGallery, openStore } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const at = new Date(1_700_000_000_000);
const names = Array.from({ length: 1200 }, (_, i) => `u${i}`);
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (given: Uint8Array) => Buffer.from(given).toString();

/** A gallery with templates for `c2`, from which every tenth is left out. */
async function ready(store: Store): Promise<number> {
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

const galleryOf = async (store: Store) => (await store.galleries.get('alice', 'main'))!;

/** @param written changes made meanwhile: template by user_id; null: removed */
async function expectSwitched(
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

it('concurrent writes during a switch are kept', async () => {
  const store = openStore();
  const id = await ready(store);
  const order: string[] = [];
  const switched = store.templateMigration.switchGallery(id, 'c2', at).then((outcome) => {
    order.push('switched');
    return outcome;
  });
  while (!(await galleryOf(store)).migrating) await store.clients.takeHit('alice');
  const now = { ...face('someone'), embeddingSpec: 'c2' };
  expect(await store.faces.enrol(id, now, false)).toEqual(expect.any(Number));
  // Users at the end of the alphabet are not switched yet.
  expect((await store.faces.get(id, 'u998'))?.embeddingSpec).toBe('c');
  expect(await store.faces.enrol(id, { ...face('u997', 'other'), embeddingSpec: 'c2' }, true)).toEqual(
    expect.any(Number),
  );
  expect((await store.faces.get(id, 'u997'))?.embeddingSpec).toBe('c2');
  expect(await store.faces.remove(id, 'u998')).toEqual(expect.any(Number));
  expect(await store.templateMigration.nextPending(id, 'c2', 0, 10)).toEqual([]);
  expect(await store.templateMigration.storeTemplates(id, 'c2', [])).toBe(false);
  order.push('written');
  expect(await switched).toBe('done');
  expect(order).toEqual(['written', 'switched']);
  const written = { someone: 'template someone', u997: 'template other', u998: null };
  await expectSwitched(store, id, written);
});

it('a migration to another pack that begins during a switch completes the switch first', async () => {
  const store = openStore();
  const id = await ready(store);
  const switched = store.templateMigration.switchGallery(id, 'c2', at);
  while (!(await galleryOf(store)).migrating) await store.clients.takeHit('alice');
  await store.templateMigration.begin(id, 'c3');
  expect(['done', null]).toContain(await switched);
  const { embeddingSpec, faces, migrating } = await galleryOf(store);
  expect({ embeddingSpec, faces, migrating }).toEqual({ embeddingSpec: 'c2', faces: 1080, migrating: false });
  expect(await store.templateMigration.countPending(id, 'c3')).toBe(1080);
});

it('a gallery can be erased during its switch', async () => {
  const store = openStore();
  const id = await ready(store);
  const switched = store.templateMigration.switchGallery(id, 'c2', at);
  while (!(await galleryOf(store)).migrating) await store.clients.takeHit('alice');
  expect(await store.galleries.remove('alice', 'main')).toBe(true);
  expect(await switched).toBeNull();
  expect(await allFaces(store, id)).toBeNull();
});

it('a process that is killed during a switch loses no face; the next one completes the switch', async () => {
  const directory = temporaryDirectory();
  const prepared = openSqliteStore(join(directory, 'wajah.db'));
  const id = await ready(prepared);
  await prepared.close();
  const child = startChild('migrate-slowly.mjs', directory, 'c2', String(at.getTime()));
  const versions: number[] = [];
  for await (const line of linesOf(child)) if (versions.push(Number(line)) === 4) child.kill('SIGKILL');
  await ended(child);
  expect(child.signalCode).toBe('SIGKILL');
  // The switch was interrupted.
  expect(versions.at(-1)).toBeGreaterThan(names.length);
  expect(versions.at(-1)).toBeLessThan(2 * names.length);
  const store = openStore(directory);
  expect(['done', null]).toContain(await store.templateMigration.switchGallery(id, 'c2', at));
  await expectSwitched(store, id);
});
