import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTemplateVault } from '../../src/security/vaults/template-vault.ts';
import { embeddingSpecText } from '../../src/services/galleries/embedding-spec.ts';
import { switchGalleries } from '../../src/services/galleries/template-migration.ts';
import type { GalleryRecord, Store } from '../../src/store/ports.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { newGallery, openDatabaseStore } from './store.ts';
import { drawVectors } from './vectors.ts';

/** Several slices. */
export const people = 600;
const dimensions = 32;
/** Values of longer templates that the shorter ones have. */
const keep = 24;
const longer = {
  pack: 'longer',
  version: '1',
  embedder: 'e',
  alignment: 'a',
  dimensions,
  normalisation: 'n',
};
export const longerSpec = embeddingSpecText(longer);
/** Of a server whose pack converts the templates of another one. */
export const engine = {
  embeddingSpec: { ...longer, pack: 'shorter', dimensions: keep },
  upgrades: [{ from: longer, keep }],
};
export const spec = embeddingSpecText(engine.embeddingSpec);
export const templates = drawVectors('spread', 3, dimensions, people + 1);
export const key = randomBytes(32);
export const vault = createTemplateVault(key);

export const open = async (place: string): Promise<Store> =>
  place.startsWith('postgres:') ? openDatabaseStore(place) : openSqliteStore(join(place, 'wajah.db'));

export async function enrolLonger(
  store: Store,
  userId: string,
  given: readonly Float32Array[],
): Promise<void> {
  const gallery = await galleryIn(store);
  const template = vault.gallery(gallery).sealAll(userId, given);
  const face = { userId, userName: `name of ${userId}`, template, embeddingSpec: longerSpec };
  const written = await store.faces.put(gallery.id, face, true);
  if (typeof written !== 'number') throw new Error(written);
}

/** A gallery with people of the other pack; the first has two pictures. */
export async function filled(place: string): Promise<Store> {
  const store = await open(place);
  await newGallery(store);
  const { id } = await galleryIn(store);
  await store.galleries.replaceKey(id, vault.wrapNewKey('alice', id));
  const enrol = (i: number) =>
    enrolLonger(store, `u${i}`, i === 0 ? [templates[0]!, templates[people]!] : [templates[i]!]);
  for (let i = 0; i < people; i += 50)
    await Promise.all(Array.from({ length: Math.min(50, people - i) }, (_, j) => enrol(i + j)));
  return store;
}

export const galleryIn = async (store: Store) => (await store.galleries.get('alice', 'main'))!;

/** What a server does with the galleries of a store when it starts. @returns its warnings */
export async function startOn(store: Store): Promise<string[]> {
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_: object, line: string) => void warnings.push(line) };
  const analyze = () => Promise.reject(new Error('no picture is needed'));
  await switchGalleries({ store, vault, engine: { ...engine, analyze }, log });
  return warnings;
}

export async function openFace(store: Store, gallery: GalleryRecord, userId: string) {
  const face = (await store.faces.get(gallery.id, userId))!;
  expect(face.embeddingSpec).toBe(spec);
  return vault.gallery(gallery).openAll(userId, face.template);
}

/** @param template as it was before */
export function expectShortened(found: Float32Array, template: Float32Array): void {
  expect(found).toHaveLength(keep);
  const norm = Math.hypot(...template.subarray(0, keep));
  for (let i = 0; i < keep; i++) expect(found[i]).toBeCloseTo(template[i]! / norm, 5);
}

export async function expectConverted(store: Store): Promise<void> {
  const gallery = await galleryIn(store);
  expect(gallery).toMatchObject({ embeddingSpec: spec, faces: people, migrated: { from: longerSpec } });
  for (let i = 0; i < people; i++) {
    const found = await openFace(store, gallery, `u${i}`);
    expect(found).toHaveLength(i === 0 ? 2 : 1);
    expectShortened(found[0]!, templates[i]!);
  }
}
