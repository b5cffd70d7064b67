import { type FindDuplicatesRequest, type MarkDifferentRequest, raiseThreshold } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Comparer } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import type { Actor, Events } from '../../events.ts';
import { GalleryTooLarge, type MatchedPair, type Matcher, type PairPage } from '../../matching/matcher.ts';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { StoredFace } from '../../store/face-store.ts';
import type { GalleryRecord } from '../../store/gallery-store.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { Cohorts } from '../galleries/cohorts.ts';
import { type Comparisons, galleryScores } from '../galleries/comparisons.ts';
import { requireComparable } from '../galleries/embedding-spec.ts';
import { galleryOf, hasEnded } from '../galleries/lookup.ts';
import { pairsOf, pairThreshold, rateAtSimilarity } from '../galleries/thresholds.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';

export type DuplicateService = ReturnType<typeof createDuplicateService>;

interface ServiceParts {
  readonly store: Pick<Store, 'galleries' | 'faces' | 'differentPeople'>;
  readonly events: Pick<Events, 'peopleMarkedDifferent'>;
  readonly comparisons: Pick<Comparisons, 'gallery' | 'require'>;
  readonly scheduler: Pick<Scheduler, 'untilDeadline'>;
  readonly search: DuplicateSearch;
}

/** The duplicates of a client's galleries. */
export function createDuplicateService({ store, events, comparisons, scheduler, search }: ServiceParts) {
  return {
    /** @throws Refusal as the search, and `galleryNotFound` */
    async find(caller: Caller, { facegalleryId, ...query }: FindDuplicatesRequest): Promise<DuplicatePage> {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      comparisons.require(gallery);
      return scheduler.untilDeadline(caller, 'duplicateSearch', (signal) =>
        search(caller, gallery, query, signal),
      );
    },

    /**
     * Marks two users as different people, or takes the mark back.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` when both are the same
     */
    async mark(caller: Caller, { facegalleryId, userId, otherUserId, different }: MarkDifferentRequest) {
      if (userId === otherUserId) throw new Refusal('sameUserTwice');
      const gallery = await galleryOf(store, caller, facegalleryId);
      const marked = { user_id: userId, ...(different && { other_user_id: otherUserId }) };
      for (const [field, user] of Object.entries(marked)) {
        if (!(await store.faces.get(gallery.id, user))) throw new Refusal('markedUserNotFound', { field });
      }
      const users = [userId, otherUserId] as const;
      if (different) await store.differentPeople.mark(gallery.id, users);
      else await store.differentPeople.unmark(gallery.id, users);
      events.peopleMarkedDifferent(caller, { facegallery_id: facegalleryId, different });
    },
  };
}

/** False pairs expected among all pairs of a gallery, by default. */
const defaultFalsePairs = 0.1;
/** Bytes of codes that a worker scans at a time, about 30 ms: searches wait behind it. */
const partBytes = 2 ** 29;
/** A page ends after so many milliseconds, or pairs. */
const pageMs = 1000;
const pagePairs = 500;

interface DuplicateParts {
  readonly store: Pick<Store, 'galleries' | 'faces' | 'differentPeople'>;
  readonly vault: TemplateVault;
  readonly matcher: Pick<Matcher, 'pairs'>;
  readonly cohorts: Pick<Cohorts, 'renewIfStale' | 'renew'>;
  readonly events: Pick<Events, 'duplicatesSearched'>;
  readonly config: Pick<Config, 'thresholds'>;
  /** The comparison of templates; commands open it with the first search. */
  readonly comparer: () => Promise<Comparer>;
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
      people,
      compared,
      pairs: pairs.length,
      threshold,
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
  const { store, vault, cohorts, config } = parts;
  const engine = await parts.comparer();
  signal.throwIfAborted();
  // Read now: a call may have waited behind others.
  const gallery = await store.galleries.get(clientId, galleryId);
  if (gallery?.id !== id) throw new Refusal('galleryDeleted');
  requireComparable(gallery, engine);
  const { facts, pairs } = galleryScores({ engine, vault, cohorts }, gallery);
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
  { matcher }: Pick<DuplicateParts, 'matcher'>,
  gallery: GalleryRecord,
  question: Question,
  signal: AbortSignal,
): Promise<PairPage> {
  const end = performance.now() + pageMs;
  const found: PairPage['pairs'][number][] = [];
  for (let { after, most } = question; ; ) {
    const part = await matcher
      .pairs(gallery, { ...question, after, most }, signal)
      .catch((error: unknown) => {
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
  return new Refusal('tooManyToCompare', { people: faces });
}

/** Scores of pairs, with room for templates that are not of unit length. */
const range = 4;
/** Halvings: the float32 products are less precise. */
const steps = 40;

/**
 * The least score with a similarity, by bisection.
 * @param similarityOf monotone
 * @returns `range` when no score has it
 */
function leastScore(similarityOf: (score: number) => number, similarity: number): number {
  let [low, high] = [-range, range];
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (similarityOf(middle) >= similarity) high = middle;
    else low = middle;
  }
  return high;
}

/** A cursor encodes the gallery and the position reached in its pairs; it is opaque to callers. */
function writePosition({ id }: Pick<GalleryRecord, 'id'>, at: PairPage['reached']): string {
  return Buffer.from(`${id} ${at.later} ${at.earlier}`).toString('base64url');
}

/** @throws Refusal `malformed` when it is none, or is of another gallery */
function readPosition({ id }: Pick<GalleryRecord, 'id'>, cursor: string | undefined): PairPage['reached'] {
  if (cursor === undefined) return { later: 0, earlier: 0 };
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [gallery, later, earlier] = /^\d{1,16} \d{1,10} \d{1,10}$/.test(text)
    ? text.split(' ').map(Number)
    : [];
  if (gallery === id && later !== undefined && earlier !== undefined) return { later, earlier };
  const problem = phrase(gallery === undefined ? 'noPairsCursor' : 'cursorOfAnotherGallery');
  throw new Refusal('pairsCursor', { problem });
}

/** Rounding of the product of a template with itself. */
const same = 1 - 1e-6;

/**
 * The people of pairs as they are enrolled now, best first. Left out are people who are marked as different or suspended,
 * and those who changed meanwhile: they come again.
 */
async function describePairs(
  { store }: { readonly store: Pick<Store, 'faces' | 'differentPeople'> },
  { id }: Pick<GalleryRecord, 'id'>,
  pairs: readonly MatchedPair[],
  similarityOf: (score: number) => number,
) {
  const faces = await facesOf(store, id, pairs);
  const described = [];
  for (const { userIds, seqs, product, score } of pairs) {
    const [a, b] = userIds.map((userId) => faces.get(userId));
    // Modulo 2^32, as the matrix has them.
    if (!a || !b || a.seq >>> 0 !== seqs[0] || b.seq >>> 0 !== seqs[1]) continue;
    if (a.suspendedAt || b.suspendedAt || hasEnded(a) || hasEnded(b)) continue;
    if (await store.differentPeople.isMarked(id, userIds)) continue;
    const similarity = product >= same ? 1 : similarityOf(score);
    const users = [a, b].map(({ userId, userName, createdAt }) => ({ userId, userName, createdAt }));
    described.push({ users, similarity, falseMatchRate: rateAtSimilarity(similarity), score });
  }
  return described.sort((a, b) => b.similarity - a.similarity || b.score - a.score);
}

async function facesOf(
  store: Pick<Store, 'faces'>,
  gallery: number,
  pairs: readonly MatchedPair[],
): Promise<Map<string, StoredFace | null>> {
  const faces = new Map<string, StoredFace | null>();
  for (const userId of new Set(pairs.flatMap(({ userIds }) => userIds))) {
    faces.set(userId, await store.faces.get(gallery, userId));
  }
  return faces;
}
