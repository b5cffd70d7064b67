import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, linesOf, startChild } from '../../../test/support/child.ts';
import { enrolFormer, formerOf, formerSpec } from '../../../test/support/former-templates.ts';
import { newDatabase, noPostgres } from '../../../test/support/postgres.ts';
import { newGallery } from '../../../test/support/store.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { drawVectors } from '../../../test/support/vectors.ts';
import { createTemplateVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/gallery-store.ts';
import { openPostgresStore } from '../../store/postgres-store.ts';
import { openSqliteStore } from '../../store/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { embeddingSpecText, requireComparable } from './embedding-spec.ts';
import { createTemplateMigration } from './template-migration.ts';

/** Several slices. */
const people = 450;
const dimensions = 224;
const from = JSON.parse(formerSpec);
const engine = {
  embeddingSpec: { ...from, version: 'next', dimensions },
  upgrades: [{ from, keep: 128 }],
};
const spec = embeddingSpecText(engine.embeddingSpec);
const formers = drawVectors('spread', 3, dimensions, people + 1).map(formerOf);
const key = randomBytes(32);
const vault = createTemplateVault(key);

const open = async (place: string): Promise<Store> =>
  place.startsWith('postgres:')
    ? openPostgresStore({ url: place })
    : openSqliteStore(join(place, 'wajah.db'));

/** A gallery with people of version 3; the first has two pictures. */
async function filled(place: string): Promise<Store> {
  const store = await open(place);
  await newGallery(store);
  const gallery = (await store.galleries.get('alice', 'main'))!;
  const wrapped = { wrappedKey: vault.wrapNewKey('alice', gallery.id), formerKey: null };
  await store.galleries.replaceKeys(gallery.id, gallery.wrappedKey, wrapped);
  for (let i = 0; i < people; i++) {
    const templates = i === 0 ? [formers[0]!, formers[people]!] : [formers[i]!];
    await enrolFormer({ store, vault }, gallery, `u${i}`, templates);
  }
  return store;
}

const galleryIn = async (store: Store) => (await store.galleries.get('alice', 'main'))!;
const migrationOf = (store: Store) =>
  createTemplateMigration({
    store,
    vault,
    engine,
    matcher: { evict: () => undefined },
  } as unknown as Parameters<typeof createTemplateMigration>[0]);

async function openFace(store: Store, gallery: GalleryRecord, userId: string) {
  const face = (await store.faces.get(gallery.id, userId))!;
  expect(face.embeddingSpec).toBe(spec);
  return vault.gallery(gallery).openAll(userId, face.template);
}

async function expectConverted(store: Store): Promise<void> {
  const gallery = await galleryIn(store);
  expect(gallery).toMatchObject({ embeddingSpec: spec, faces: people, migrating: false });
  for (let i = 0; i < people; i++) {
    const templates = await openFace(store, gallery, `u${i}`);
    expect(templates).toHaveLength(i === 0 ? 2 : 1);
    expect(templates[0]).toHaveLength(dimensions);
    const scale = Math.sqrt(7 / 6);
    for (const at of [0, 64, 127]) expect(templates[0]![at]).toBeCloseTo(formers[i]![at]! * scale, 5);
    expect(templates[0]!.subarray(128).every((value) => value === 0)).toBe(true);
  }
}

const kinds = [
  { name: 'SQLite', newPlace: async () => temporaryDirectory() },
  { name: 'PostgreSQL', newPlace: newDatabase },
];

it('a gallery that is still to be converted is busy, one of an unknown pack is refused', () => {
  const gallery = { migrated: null, migrating: false };
  const check = (embeddingSpec: string) => () => requireComparable({ ...gallery, embeddingSpec }, engine);
  expect(check(spec)).not.toThrow();
  expect(check(formerSpec)).toThrow(expect.objectContaining({ status: 'busy' }));
  const other = formerSpec.replace('"3"', '"2"');
  expect(check(other)).toThrow(expect.objectContaining({ status: 'denied' }));
});

describe.each(kinds)('templates of an earlier version, in $name', ({ name, newPlace }) => {
  const test = it.skipIf(name === 'PostgreSQL' && noPostgres);

  test('are all converted after a process that converted them was killed', async () => {
    const place = await newPlace();
    await (await filled(place)).close();
    for (const kills of [1, 2]) {
      const child = startChild('convert-slowly.mjs', place, key.toString('hex'), JSON.stringify(engine));
      const lines: string[] = [];
      for await (const line of linesOf(child)) if (lines.push(line) === kills) child.kill('SIGKILL');
      await ended(child);
      expect(child.signalCode).toBe('SIGKILL');
      expect(lines).not.toContain('done');
    }
    const store = await open(place);
    await migrationOf(store).migrateAll();
    await expectConverted(store);
    await store.close();
  });

  test('are converted beside the present ones, with those of faces that change meanwhile', async () => {
    const store = await filled(await newPlace());
    await migrationOf(store).prepareUpgrades();
    const gallery = await galleryIn(store);
    expect(gallery.embeddingSpec).toBe(formerSpec);
    expect(await store.templateMigration.countPending(gallery.id, spec)).toBe(0);
    await enrolFormer({ store, vault }, gallery, 'u7', [formers[8]!]);
    await enrolFormer({ store, vault }, gallery, 'new', [formers[9]!]);
    await store.faces.remove(gallery.id, 'u8');
    expect(await migrationOf(store).migrateAll()).toBe(1);
    const now = await galleryIn(store);
    expect(now).toMatchObject({ embeddingSpec: spec, faces: people });
    expect(await store.faces.get(now.id, 'u8')).toBeNull();
    const scale = Math.sqrt(7 / 6);
    expect((await openFace(store, now, 'u7'))[0]![0]).toBeCloseTo(formers[8]![0]! * scale, 5);
    expect((await openFace(store, now, 'new'))[0]![0]).toBeCloseTo(formers[9]![0]! * scale, 5);
    await store.close();
  });

  it.skipIf(name === 'SQLite' || noPostgres)('are converted by two servers at once', async () => {
    const place = await newPlace();
    const stores = [await filled(place), await open(place)];
    await Promise.all(stores.map((store) => migrationOf(store).prepareUpgrades()));
    const migrated = await Promise.all(stores.map((store) => migrationOf(store).migrateAll()));
    expect(migrated[0]! + migrated[1]!).toBe(1);
    await expectConverted(stores[1]!);
    for (const store of stores) await store.close();
  });

  test('keep their gallery from nothing where one is damaged', async () => {
    const store = await filled(await newPlace());
    const gallery = await galleryIn(store);
    const damaged = { userId: 'u3', userName: 'u3', template: Buffer.alloc(1053), embeddingSpec: formerSpec };
    await store.faces.enrol(gallery.id, damaged, true);
    expect(await migrationOf(store).migrateAll()).toBe(1);
    expect((await store.faces.get(gallery.id, 'u3'))?.template).toHaveLength(1053);
    expect(await openFace(store, await galleryIn(store), 'u4')).toHaveLength(1);
    await store.close();
  });
});
