import { cohortPairs, cohortProbe, innerProduct } from '@wajah/engine';
import { yieldingPause } from '../../lib/event-loop-yielder.ts';
import type { Match } from '../../matching/ports.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { GalleryCohort, GalleryVault, TemplateVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord, Store, StoredFace } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { ServiceParts } from '../parts.ts';
import { calibrationFor } from './calibration.ts';
import { openedCohort } from './cohorts.ts';
import { requireComparable } from './embedding-spec.ts';
import { galleryOf, requireMatched, userOf } from './lookup.ts';
import type {
  CalibratedEngine,
  Cohorts,
  Comparisons,
  GalleryScores,
  SuspendedFace,
  Thresholds,
} from './ports.ts';

interface ScoreParts extends ServiceParts<'vault'> {
  readonly cohorts: Cohorts;
  readonly engine: CalibratedEngine;
}

/**
 * The scores of a gallery: normalised by the statistics of its people where there are some, else those of inner
 * products. Statistics that are out of date are renewed in the background.
 */
export function galleryScores({ engine, vault, cohorts }: ScoreParts, gallery: GalleryRecord): GalleryScores {
  cohorts.renewIfStale(gallery);
  const calibration = calibrationFor(engine, gallery);
  const { cohortCurve: curve } = calibration;
  const cohort = curve && cohortOf({ engine, vault, cohorts }, gallery);
  if (!curve || !cohort) {
    return {
      facts: { cohort_version: 0, cohort_people: 0 },
      probe: (query) => ({ query, similarityOf: calibration.similarityOf, scoreOf: (product) => product }),
      pairs: () => ({ mean: null, weight: 0, similarityOf: calibration.similarityOf }),
    };
  }
  return {
    facts: { cohort_version: gallery.cohort?.version ?? 0, cohort_people: cohort.people },
    probe: (template) => cohortProbe(curve, cohort, template),
    pairs: () => cohortPairs(curve, cohort),
  };
}

/** @returns null when there are none that open, or the operator has switched them off */
function cohortOf({ engine, vault, cohorts }: ScoreParts, gallery: GalleryRecord): GalleryCohort | null {
  if (gallery.cohort === null || gallery.cohortMode === 'off') return null;
  const cohort = openedCohort(vault.gallery(gallery), engine, gallery);
  if (!cohort) cohorts.renew(gallery);
  return cohort;
}

interface Parts extends ServiceParts<'store' | 'engine' | 'vault' | 'matcher' | 'scheduler'> {
  readonly cohorts: Cohorts;
  readonly thresholds: Thresholds;
}

/** Comparisons with the templates of galleries, until the deadline of a call. */
export function createComparisons(parts: Parts): Comparisons {
  const { store, engine, thresholds } = parts;
  return {
    engine,
    thresholds,
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

/** People who are stored and not matched; opened at a time. */
const sliceFaces = 1000;

/**
 * The faces of a gallery's suspended people whose time has not ended, for the searches for duplicates alone: nobody ends a
 * suspension unnoticed by enrolling the person again. One that does not open is left out, as in searches.
 */
export async function suspendedFaces(
  { store, vault }: { readonly store: Pick<Store, 'faces' | 'people'>; readonly vault: TemplateVault },
  gallery: GalleryRecord,
): Promise<SuspendedFace[]> {
  const opener = vault.gallery(gallery);
  const pause = yieldingPause();
  const opened: SuspendedFace[] = [];
  for (let after = 0; ; ) {
    const { faces = [] } = (await store.faces.slice(gallery.id, after, sliceFaces, 'suspended')) ?? {};
    const userIds = faces.map(({ userId }) => userId);
    const ended = await store.people.ended(gallery.id, userIds, new Date());
    for (const { userId, userName, seq, template: sealed } of faces) {
      await pause();
      const template = ended.has(userId) ? null : openedOrNull(() => opener.open(userId, sealed));
      if (template) opened.push({ userId, userName, seq, template });
    }
    if (faces.length < sliceFaces) return opened;
    after = faces.at(-1)!.seq;
  }
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
    return await scheduler.untilDeadline(caller, 'gallerySearch', (signal) =>
      searchPresent(store, (most) => matcher.search(gallery, probe, most, signal), gallery, k),
    );
  } finally {
    const after = await store.galleries.get(gallery.clientId, gallery.galleryId);
    if (after) requireComparable(after, engine);
  }
}
