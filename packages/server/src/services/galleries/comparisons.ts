import type { UserRequest } from '@wajah/contract';
import { type Comparer, cohortPairs, cohortProbe, innerProduct } from '@wajah/engine';
import type { Match, Matcher } from '../../matching/ports.ts';
import type { GalleryCohort, GalleryVault, TemplateVault } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord, Store, StoredFace } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { type CalibratedEngine, calibrationFor } from './calibration.ts';
import { type Cohorts, openedCohort } from './cohorts.ts';
import { requireComparable } from './embedding-spec.ts';
import { galleryOf, requireMatched, userOf } from './lookup.ts';
import type { Thresholds } from './thresholds.ts';

/** A probe that is compared with references of a gallery. */
interface GalleryProbe {
  /** The vector to search the gallery with, and to multiply references with. */
  readonly query: Float32Array;
  /** Similarity, 0…1, of a product of `query` with a reference. Monotone below 1. */
  similarityOf(product: number): number;
  /** The score that the similarity is calibrated from, without its upper limit; comparable between probes. */
  scoreOf(product: number): number;
}

/** How two people of a gallery are compared: score = a · b − weight × (a + b) · mean. */
export interface PairScores {
  readonly mean: Float32Array | null;
  readonly weight: number;
  /** Similarity, 0…0.9999, of a score. Monotone. */
  similarityOf(score: number): number;
}

/** How the similarities of a gallery come about. */
export interface GalleryScores {
  /** Version of the statistics that they are normalised by, and the people measured; 0 and 0: not normalised. */
  readonly facts: { readonly cohort_version: number; readonly cohort_people: number };
  /** @param template of this server's pack */
  probe(template: Float32Array): GalleryProbe;
  pairs(): PairScores;
}

interface ScoreParts {
  readonly engine: CalibratedEngine;
  readonly vault: TemplateVault;
  readonly cohorts: Pick<Cohorts, 'renewIfStale' | 'renew'>;
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

interface Parts extends ScoreParts {
  readonly store: Pick<Store, 'galleries' | 'faces' | 'people'>;
  readonly engine: Comparer;
  readonly matcher: Pick<Matcher, 'search'>;
  readonly scheduler: Pick<Scheduler, 'untilDeadline'>;
  readonly thresholds: Thresholds;
}

export type Comparisons = ReturnType<typeof createComparisons>;

/** An enrolled user, as the reference of comparisons; `similarity` (0…1) compares a probe's template with it. */
export type EnrolledPerson = Awaited<ReturnType<Comparisons['person']>>;

/** Comparisons with the templates of galleries, until the deadline of a call. */
export function createComparisons(parts: Parts) {
  const { store, engine, thresholds } = parts;
  return {
    engine,
    thresholds,
    /** A gallery of the caller. @throws Refusal `galleryNotFound` */
    gallery: (caller: Caller, facegalleryId: string) => galleryOf(store, caller, facegalleryId),
    /** See `galleryScores`. */
    scores: (gallery: GalleryRecord) => galleryScores(parts, gallery),
    /** See `requireComparable`. */
    require: (gallery: GalleryRecord) => requireComparable(gallery, engine),
    search: (caller: Caller, gallery: GalleryRecord, probe: Float32Array, k: number) =>
      search(parts, caller, gallery, probe, k),
    /** The templates of a user, one for each picture. @throws Refusal as `person` */
    templates: (gallery: GalleryRecord, userId: string) =>
      openFace(parts, gallery, userId, (vault, face) => vault.openAll(userId, face.template)),

    /**
     * An enrolled user, as the reference of comparisons.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `userSuspended` | `denied` (enrolled with another model pack)
     */
    async person(caller: Caller, { facegalleryId, userId }: Pick<UserRequest, 'facegalleryId' | 'userId'>) {
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
export async function searchPresent(
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

/**
 * Searches a gallery with a template of this server's pack, until the deadline of the call.
 * @throws Refusal `busy` | `denied` when the gallery was migrated to another pack during the search, or does not fit into
 *   the memory for galleries; `busy` at the deadline; the reason of the caller's signal
 */
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
