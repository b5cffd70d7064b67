import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { embeddingSpecText } from '../../src/services/galleries/embedding-spec.ts';
import { createTemplateMigration } from '../../src/services/galleries/template-migration.ts';
import type { GalleryRecord } from '../../src/store/gallery-store.ts';
import { openPostgresStore } from '../../src/store/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { enrolFormer, formerOf, formerSpec } from './former-templates.ts';
import { newGallery } from './store.ts';
import { drawVectors } from './vectors.ts';

/** Several slices. */
export const people = 450;
const dimensions = 224;
const from = JSON.parse(formerSpec);
export const engine = {
  embeddingSpec: { ...from, version: 'next', dimensions },
  upgrades: [{ from, keep: 128 }],
};
export const spec = embeddingSpecText(engine.embeddingSpec);
export const formers = drawVectors('spread', 3, dimensions, people + 1).map(formerOf);
export const key = randomBytes(32);
export const vault = createTemplateVault(key);

export const open = async (place: string): Promise<Store> =>
  place.startsWith('postgres:')
    ? openPostgresStore({ url: place })
    : openSqliteStore(join(place, 'wajah.db'));

/** A gallery with people of version 3; the first has two pictures. */
export async function filled(place: string): Promise<Store> {
  const store = await open(place);
  await newGallery(store);
  const gallery = (await store.galleries.get('alice', 'main'))!;
  await store.galleries.replaceKey(gallery.id, vault.wrapNewKey('alice', gallery.id));
  for (let i = 0; i < people; i++) {
    const templates = i === 0 ? [formers[0]!, formers[people]!] : [formers[i]!];
    await enrolFormer({ store, vault }, gallery, `u${i}`, templates);
  }
  return store;
}

export const galleryIn = async (store: Store) => (await store.galleries.get('alice', 'main'))!;
export const migrationOf = (store: Store) =>
  createTemplateMigration({
    store,
    vault,
    engine,
    matcher: { evict: () => undefined },
  } as unknown as Parameters<typeof createTemplateMigration>[0]);

export async function openFace(store: Store, gallery: GalleryRecord, userId: string) {
  const face = (await store.faces.get(gallery.id, userId))!;
  expect(face.embeddingSpec).toBe(spec);
  return vault.gallery(gallery).openAll(userId, face.template);
}

export async function expectConverted(store: Store): Promise<void> {
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
