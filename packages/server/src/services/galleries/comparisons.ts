import { phrase } from '@wajah/contract/refusals';
import { innerProduct } from '@wajah/engine';
import type { Match } from '../../matching/ports.ts';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { StoredFace } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import { requireComparable } from './embedding-spec.ts';
import { galleryScores } from './gallery-scores.ts';
import { galleryOf, requireMatched, userOf } from './lookup.ts';
import type { Cohorts, Comparisons } from './ports.ts';
import { suspendedFaces } from './suspended-faces.ts';
import { createThresholds } from './thresholds.ts';

interface Parts extends ServiceParts<'config' | 'store' | 'engine' | 'vault' | 'matcher' | 'scheduler'> {
  readonly cohorts: Cohorts;
}

/** Comparisons with the templates of galleries, until the deadline of a call. */
export function createComparisons(parts: Parts): Comparisons {
  const { store, engine } = parts;
  return {
    engine,
    thresholds: createThresholds(engine, parts.config.thresholds),
    gallery: (caller, facegalleryId) => galleryOf(store, caller, facegalleryId),
    scores: (gallery) => galleryScores(parts, gallery),
    require: (gallery) => requireComparable(gallery, engine),
    search: (caller, gallery, probe, k) => search(parts, caller, gallery, probe, k),
    suspended: (gallery) => suspendedFaces(parts, gallery),
    templates: (gallery, userId) =>
      openFace(parts, gallery, userId, (vault, face) => vault.openAll(userId, face.template)),

    async person(caller, { facegalleryId, userId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const { userName, reference } = await openFace(parts, gallery, userId, (vault, face) => ({
        userName: face.userName,
        reference: vault.open(userId, face.template),
      }));
      const { facts, probe } = galleryScores(parts, gallery);
      const similarity = (template: Float32Array): number => {
        const { query, similarityOf } = probe(template);
        return similarityOf(innerProduct(query, reference));
      };
      return { userName, gallery, similarity, facts };
    },
  };
}

async function openFace<T>(
  { store, engine, vault }: Parts,
  gallery: GalleryRecord,
  userId: string,
  open: (vault: GalleryVault, face: StoredFace) => T,
): Promise<T> {
  const face = await userOf(store, gallery, userId);
  requireMatched(face);
  // The spec of the face: the gallery may have been switched after it was read.
  requireComparable({ ...gallery, embeddingSpec: face.embeddingSpec }, engine);
  return open(vault.gallery(gallery), face);
}

/** People whose time has ended and who are not erased yet: as many as may hide others from an answer. */
const mostEnded = 1000;

/**
 * The best matches without people whose consent or retention has ended. They are in the matrix until they are erased, and
 * usually nobody is; an answer may have fewer than `k` where more than `mostEnded` of them are more similar.
 * @param search the best `most` matches of the gallery
 */
async function searchPresent(
  { people }: Pick<Store, 'people'>,
  search: (most: number) => Promise<Match[]>,
  gallery: Pick<GalleryRecord, 'id'>,
  k: number,
): Promise<Match[]> {
  const present = async (matches: Match[]) => {
    const ended = await people.ended(
      gallery.id,
      matches.map(({ userId }) => userId),
      new Date(),
    );
    return matches.filter(({ userId }) => !ended.has(userId));
  };
  const best = await search(k);
  const found = await present(best);
  if (found.length === best.length) return found;
  return (await present(await search(k + mostEnded))).slice(0, k);
}

/** See `Comparisons.search`. */
async function search(
  { store, engine, matcher, scheduler }: Parts,
  caller: Caller,
  gallery: GalleryRecord,
  probe: Float32Array,
  k: number,
): Promise<Match[]> {
  try {
    return await scheduler.untilDeadline(caller, phrase('gallerySearch'), (signal) =>
      searchPresent(store, (most) => matcher.search(gallery, probe, most, signal), gallery, k),
    );
  } finally {
    const after = await store.galleries.get(gallery.clientId, gallery.galleryId);
    if (after) requireComparable(after, engine);
  }
}
