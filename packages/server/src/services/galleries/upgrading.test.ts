import { describe, expect, it } from 'vitest';
import {
  engine,
  expectConverted,
  filled,
  formers,
  galleryIn,
  migrationOf,
  open,
  openFace,
  people,
  spec,
  vault,
} from '../../../test/support/conversion.ts';
import { enrolFormer, formerSpec } from '../../../test/support/former-templates.ts';
import { newDatabase, storeKinds } from '../../../test/support/postgres.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { requireComparable } from './embedding-spec.ts';

it('a gallery that is still to be converted is busy, one of an unknown pack is refused', () => {
  const gallery = { migrated: null, migrating: false };
  const check = (embeddingSpec: string) => () => requireComparable({ ...gallery, embeddingSpec }, engine);
  expect(check(spec)).not.toThrow();
  expect(check(formerSpec)).toThrow(expect.objectContaining({ status: 'busy' }));
  const other = formerSpec.replace('"3"', '"2"');
  expect(check(other)).toThrow(expect.objectContaining({ status: 'denied' }));
});

describe.each(storeKinds)('templates of an earlier version, in %s', (kind) => {
  const newPlace = async () => (kind === 'PostgreSQL' ? newDatabase() : temporaryDirectory());

  it('are converted beside the present ones, with those of faces that change meanwhile', async () => {
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

  it.runIf(kind === 'PostgreSQL')('are converted by two servers at once', async () => {
    const place = await newPlace();
    const stores = [await filled(place), await open(place)];
    await Promise.all(stores.map((store) => migrationOf(store).prepareUpgrades()));
    const migrated = await Promise.all(stores.map((store) => migrationOf(store).migrateAll()));
    expect(migrated[0]! + migrated[1]!).toBe(1);
    await expectConverted(stores[1]!);
    for (const store of stores) await store.close();
  });

  it('keep their gallery from nothing where one is damaged', async () => {
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
