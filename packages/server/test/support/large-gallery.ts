import { randomBytes } from 'node:crypto';
import { createTemplateVault, meanOf } from '../../src/security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../src/store/ports/galleries.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { unlimited } from './store.ts';
import { drawVectors } from './vectors.ts';

/** The key of `fillLarge`. */
export const largeVault = createTemplateVault(randomBytes(32));

const rows = drawVectors('spread', 21, 64, 1200);

/** The probe. */
export const largeProbe = rows.pop()!;

/** A person's templates: every seventh has three. */
const templates = rows.map((row, i) =>
  i % 7 === 0 ? [row, rows[(i + 1) % rows.length]!, rows[i >> 1]!] : [row],
);

/** Enrols enough faces for the worker thread to read them: `user 0`, `user 1` …. */
export async function fillLarge(store: Store): Promise<GalleryRecord> {
  await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
  const made = await store.galleries.create('a', 'main', (id) => largeVault.wrapNewKey('a', id));
  if (typeof made === 'string') throw new Error(made);
  for (let i = 0; i < templates.length; i += 100) {
    await Promise.all(
      templates.slice(i, i + 100).map((own, at) => enrolLarge(store, made, `user ${i + at}`, own)),
    );
  }
  return (await store.galleries.get('a', 'main'))!;
}

/** @returns the gallery's new version */
export async function enrolLarge(store: Store, gallery: GalleryRecord, userId: string, own: Float32Array[]) {
  const template = largeVault.gallery(gallery).sealAll(userId, own);
  const seq = await store.faces.put(gallery.id, { userId, userName: '', template, embeddingSpec: 'c' }, true);
  if (typeof seq !== 'number') throw new Error(seq);
  return seq;
}

/** The references after `fillLarge`, by user_id. */
export function largePeople(): Map<string, Float32Array> {
  return new Map(templates.map((own, i) => [`user ${i}`, meanOf(own)]));
}

/** By brute force: the five best for `largeProbe`. */
export function bestOf(
  people: Map<string, Float32Array>,
  without: readonly string[] = [],
): [string, number][] {
  const scores = [...people].map(([user, compared]): [string, number] => [
    user,
    compared.reduce((sum, value, at) => sum + value * largeProbe[at]!, 0),
  ]);
  const left = scores.filter(([user]) => !without.includes(user));
  return left.sort((a, b) => b[1] - a[1]).slice(0, 5);
}
