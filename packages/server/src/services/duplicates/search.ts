import { raiseThreshold } from '@wajah/contract';
import type { Comparer } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { Actor } from '../../events.ts';
import { GalleryTooLarge, type PairPage } from '../../matching/matcher.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { requireComparable } from '../galleries/embedding-spec.ts';
import { withPresentKeys } from '../galleries/present-keys.ts';
import { galleryScores } from '../recognition/gallery-scores.ts';
import { pairsOf, pairThreshold, rateAtSimilarity } from '../recognition/thresholds.ts';
import { leastScore } from './least-score.ts';
import { describePairs } from './pairs.ts';
import { readPosition, writePosition } from './position.ts';

/** False pairs expected among all pairs of a gallery, by default. */
const defaultFalsePairs = 0.1;
/** Bytes of codes that a worker scans at a time, about 30 ms: searches wait behind it. */
const partBytes = 2 ** 29;
/** A page ends after so many milliseconds, or pairs. */
const pageMs = 1000;
const pagePairs = 500;

export interface DuplicateParts {
  readonly engine: Comparer;
  readonly store: Pick<ServiceDependencies['store'], 'galleries' | 'faces' | 'differentPeople'>;
  readonly vault: ServiceDependencies['vault'];
  readonly matcher: Pick<ServiceDependencies['matcher'], 'pairs'>;
  readonly cohorts: Pick<ServiceDependencies['cohorts'], 'renewIfStale' | 'renew'>;
  readonly events: Pick<ServiceDependencies['events'], 'duplicatesSearched'>;
  readonly config: Pick<Config, 'thresholds'>;
}

export interface DuplicateQuery {
  /** Of the previous page; undefined: from the first pair on. */
  readonly cursor?: string | undefined;
  readonly expectedFalsePairs?: number | undefined;
}

/** Pairs of users of a gallery that may be the same person. */
export type DuplicatePage = Awaited<ReturnType<DuplicateSearch>>;
export type DuplicateSearch = ReturnType<typeof createDuplicateSearch>;

/**
 * Compares all pairs of a gallery, a page at a time. The threshold and the scores of a page are those of the gallery at
 * that moment. One page at a time is computed, so that most scanning threads stay free for searches.
 */
export function createDuplicateSearch(parts: DuplicateParts) {
  let last: Promise<unknown> = Promise.resolve();
  /** @throws Refusal `malformed` (cursor) | `denied` (other model pack, no memory) | `busy`; the reason of the signal */
  return async (actor: Actor, gallery: GalleryRecord, query: DuplicateQuery, signal: AbortSignal) => {
    const after = readPosition(gallery, query.cursor);
    const result = last.then(async () => searchPage(parts, gallery, after, query, signal));
    last = result.catch(() => null);
    const page = await result;
    const { facts, people, compared, pairs, threshold } = page;
    parts.events.duplicatesSearched(actor, {
      facegallery_id: gallery.galleryId,
      ...{ people, compared, pairs: pairs.length, threshold },
      ...facts,
    });
    return page;
  };
}

async function searchPage(
  parts: DuplicateParts,
  { clientId, galleryId, id }: GalleryRecord,
  after: PairPage['reached'],
  { expectedFalsePairs = defaultFalsePairs }: DuplicateQuery,
  signal: AbortSignal,
) {
  const { store, engine, config } = parts;
  signal.throwIfAborted();
  // Read now: a call may have waited behind others.
  const gallery = await store.galleries.get(clientId, galleryId);
  if (gallery?.id !== id) throw new Refusal('galleryNotFound', 'facegallery_id: this gallery was deleted');
  requireComparable(gallery, engine);
  const { facts, pairs } = galleryScores(parts, gallery);
  const verify = gallery.threshold ?? config.thresholds.verify ?? engine.threshold;
  const threshold = raiseThreshold(pairThreshold(verify, gallery.faces, expectedFalsePairs));
  const { similarityOf, ...formula } = pairs();
  const question = {
    ...formula,
    dimensions: engine.embeddingSpec.dimensions,
    threshold: leastScore(similarityOf, threshold),
    work: partBytes,
    most: pagePairs,
  };
  const page = await collect(parts, gallery, { ...question, after }, signal);
  const described = await describePairs(parts, gallery, page.pairs, similarityOf);
  const now = await store.galleries.get(clientId, galleryId);
  if (now) requireComparable(now, engine);
  const falseMatchRate = rateAtSimilarity(threshold);
  return {
    pairs: described,
    cursor: writePosition(gallery, page.reached),
    complete: page.complete,
    people: page.people,
    compared: page.compared,
    progress: progressOf(page),
    threshold,
    falseMatchRate,
    /** False pairs expected at the threshold among all pairs of the gallery. */
    expectedFalsePairs: falseMatchRate * pairsOf(gallery.faces),
    facts,
  };
}

type Question = Parameters<DuplicateParts['matcher']['pairs']>[1];

/** Parts of the work, one after the other, until the page is full. */
async function collect(
  { store, matcher }: Pick<DuplicateParts, 'store' | 'matcher'>,
  gallery: GalleryRecord,
  question: Question,
  signal: AbortSignal,
): Promise<PairPage> {
  const end = performance.now() + pageMs;
  const found: PairPage['pairs'][number][] = [];
  for (let { after, most } = question; ; ) {
    const part = await withPresentKeys({ galleries: store.galleries }, gallery, (now) =>
      matcher.pairs(now, { ...question, after, most }, signal),
    ).catch((error: unknown) => {
      throw error instanceof GalleryTooLarge ? tooLarge(gallery) : error;
    });
    found.push(...part.pairs);
    after = part.reached;
    most = pagePairs - found.length;
    if (part.complete || most <= 0 || performance.now() >= end) return { ...part, pairs: found };
  }
}

/** Share of all pairs, 0…1: a person is compared with those before. */
function progressOf({ complete, people, compared }: PairPage): number {
  return complete ? 1 : Math.min(1, pairsOf(compared) / Math.max(1, pairsOf(people)));
}

function tooLarge({ faces }: GalleryRecord): Refusal {
  return new Refusal(
    'denied',
    `facegallery_id: found ${faces} people, more than fit into the memory for galleries; the operator raises WAJAH_MATCH_MEMORY_MB`,
  );
}
