import { type RequestOf, raiseThreshold } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import { innerProduct } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { FeatureCore } from '../../feature.ts';
import { EventLoopYielder } from '../../lib/event-loop-yielder.ts';
import type { AboveQuestion, Match } from '../../matching/ports.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { GalleryVault } from '../../security/vaults/template-vault.ts';
import type { Caller } from '../../services/caller.ts';
import { galleryOf, hasEnded } from '../../services/galleries/lookup.ts';
import type { PairScores, SuspendedFace } from '../../services/galleries/ports.ts';
import { pairsOf, pairThreshold, rateAtSimilarity } from '../../services/galleries/thresholds.ts';
import type { SealedFace, StoredFace } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';

/** Two users of a gallery who may be the same person. */
interface DuplicatePair {
  readonly users: readonly Pick<StoredFace, 'userId' | 'userName' | 'createdAt' | 'suspendedAt'>[];
  /** 0…1 */
  readonly similarity: number;
  /** That the similarity claims, 0…1. */
  readonly falseMatchRate: number;
  /** That the similarity is calibrated from, without its upper limit. */
  readonly score: number;
}

/**
 * The duplicates of a client's galleries: all pairs are compared, a page at a time, as each person is searched for among
 * those who were enrolled before. The threshold and the scores of a page are those of the gallery at that moment. One page
 * at a time is computed, with one search at a time, so that most scanning threads stay free for others.
 */
export function createDuplicateService(parts: FeatureCore) {
  const { store, events, comparisons, scheduler } = parts;
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** @throws Refusal `galleryNotFound` | `malformed` (cursor) | `denied` (other model pack, no memory) | `busy` */
    async find(caller: Caller, { facegalleryId, ...query }: RequestOf<'findDuplicates'>) {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      comparisons.require(gallery);
      const after = readPosition(gallery, query.cursor);
      return scheduler.untilDeadline(caller, phrase('duplicateSearch'), async (signal) => {
        const result = last.then(() => searchPage(parts, gallery, after, query, signal));
        last = result.catch(() => null);
        const page = await result;
        const { facts, people, compared, pairs, threshold } = page;
        const found = { people, compared, pairs: pairs.length, threshold, ...facts };
        events.observe('duplicates_searched', caller, { facegallery_id: facegalleryId, ...found });
        return page;
      });
    },

    /**
     * Marks two users as different people, or takes the mark back.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `malformed` when both are the same
     */
    async mark(
      caller: Caller,
      { facegalleryId, userId, otherUserId, different }: RequestOf<'markDifferent'>,
    ) {
      if (userId === otherUserId) throw new Refusal('sameUserTwice');
      const gallery = await galleryOf(store, caller, facegalleryId);
      const marked = { user_id: userId, ...(different && { other_user_id: otherUserId }) };
      for (const [field, user] of Object.entries(marked)) {
        if (!(await store.faces.get(gallery.id, user))) throw new Refusal('markedUserNotFound', { field });
      }
      const users = [userId, otherUserId] as const;
      if (different) await store.differentPeople.mark(gallery.id, users);
      else await store.differentPeople.unmark(gallery.id, users);
      events.observe('people_marked_different', caller, { facegallery_id: facegalleryId, different });
    },
  };
}

export type DuplicateService = ReturnType<typeof createDuplicateService>;

/** False pairs expected among all pairs of a gallery, by default. */
const defaultFalsePairs = 0.1;
/** People read at a time. */
const sliceFaces = 50;
/** A page ends after so many milliseconds, or pairs. */
const pageMs = 1000;
const pagePairs = 500;

/**
 * A position in the pairs of a gallery, which are ordered by the seq of the face that was written later, then by that of
 * the other. Every pair up to it was compared. A face that is written again comes last, and is compared with all others.
 */
interface PairPosition {
  readonly later: number;
  readonly earlier: number;
  /** People up to it, as many as were there when they were compared. */
  readonly compared: number;
}

async function searchPage(
  parts: FeatureCore,
  { clientId, galleryId, id }: GalleryRecord,
  after: PairPosition,
  { expectedFalsePairs = defaultFalsePairs }: Pick<RequestOf<'findDuplicates'>, 'expectedFalsePairs'>,
  signal: AbortSignal,
) {
  const { store, comparisons } = parts;
  signal.throwIfAborted();
  // Read now: a call may have waited behind others.
  const gallery = await store.galleries.get(clientId, galleryId);
  if (gallery?.id !== id) throw new Refusal('galleryDeleted');
  comparisons.require(gallery);
  const { facts, pairs } = comparisons.scores(gallery);
  const verify = comparisons.thresholds.verification(gallery);
  const threshold = raiseThreshold(pairThreshold(verify, gallery.faces, expectedFalsePairs));
  const scores = pairs();
  const least = leastScore(scores.similarityOf, threshold);
  const suspended = await comparisons.suspended(gallery);
  const page = await collect(parts, gallery, { ...scores, least, suspended }, after, signal);
  const described = await describePairs(parts, gallery, page.pairs, scores.similarityOf);
  const now = await store.galleries.get(clientId, galleryId);
  if (now) comparisons.require(now);
  const falseMatchRate = rateAtSimilarity(threshold);
  const { reached, complete, people } = page;
  const compared = complete ? people : Math.min(people, reached.compared);
  return {
    pairs: described,
    cursor: writePosition(gallery, { ...reached, compared }),
    complete,
    people,
    compared,
    // A person is compared with those before.
    progress: complete ? 1 : pairsOf(compared) / Math.max(1, pairsOf(people)),
    threshold,
    falseMatchRate,
    expectedFalsePairs: falseMatchRate * pairsOf(gallery.faces),
    facts,
  };
}

type PairQuestion = PairScores & { readonly least: number; readonly suspended: readonly SuspendedFace[] };

/** Two people of a gallery whose score reaches the threshold. */
interface MatchedPair {
  /** The one whose face was written later first. */
  readonly users: readonly [Pick<Match, 'userId' | 'seq'>, Pick<Match, 'userId' | 'seq'>];
  readonly score: number;
}

/** One person after the other, until the page is full. */
async function collect(
  { store, vault, matcher }: FeatureCore,
  gallery: GalleryRecord,
  question: PairQuestion,
  after: PairPosition,
  signal: AbortSignal,
) {
  const end = performance.now() + pageMs;
  const opener = vault.gallery(gallery);
  const yielder = new EventLoopYielder();
  const pairs: MatchedPair[] = [];
  for (let reached = after; ; ) {
    // Of a person who is compared in part, the rest comes first.
    const since = reached.earlier < reached.later ? reached.later - 1 : reached.later;
    const slice = await store.faces.slice(gallery.id, since, sliceFaces, 'everybody');
    if (!slice) throw new Refusal('galleryDeleted');
    const { total: people, faces, version } = slice;
    const newest = { ...gallery, version };
    for (const face of faces) {
      if (pairs.length >= pagePairs || performance.now() >= end)
        return { pairs, reached, complete: false, people };
      if (yielder.shouldYield) await yielder.yield();
      const earlier = face.seq === reached.later ? reached.earlier : 0;
      const most = pagePairs - pairs.length;
      const asked = { after: earlier, before: face.seq, most };
      const found = await before(matcher, newest, opener, face, { ...question, ...asked }, signal);
      pairs.push(...found);
      if (found.length === most) {
        const last = found.at(-1)!.users[1].seq;
        reached = { later: face.seq, earlier: last, compared: reached.compared };
      } else reached = { later: face.seq, earlier: face.seq, compared: reached.compared + 1 };
    }
    if (pairs.length >= pagePairs) return { pairs, reached, complete: false, people };
    if (faces.length < sliceFaces) return { pairs, reached, complete: true, people };
  }
}

/** The people whose faces were written before that of one person, and who may be the same: one of the two is matched. */
async function before(
  matcher: FeatureCore['matcher'],
  gallery: GalleryRecord,
  opener: Pick<GalleryVault, 'open'>,
  { userId, seq, template: sealed }: SealedFace,
  { mean, weight, least, suspended, ...bounds }: PairQuestion & Omit<AboveQuestion, 'least'>,
  signal: AbortSignal,
): Promise<MatchedPair[]> {
  // One that does not open is left out, as in searches.
  const template = openedOrNull(() => opener.open(userId, sealed));
  if (!template) return [];
  const probe = mean ? template.map((value, i) => value - weight * mean[i]!) : template;
  const shift = mean ? weight * innerProduct(template, mean) : 0;
  const question = { ...bounds, least: least + shift };
  const matched = await matcher.above(gallery, probe, question, signal);
  const isSuspended = suspended.some((one) => one.userId === userId);
  return [...matched, ...(isSuspended ? [] : above(suspended, probe, question))]
    .sort((a, b) => a.seq - b.seq)
    .slice(0, bounds.most)
    .map((match) => ({ users: [{ userId, seq }, match], score: match.score - shift }));
}

/** As `Matcher.above`. */
function above(
  faces: readonly SuspendedFace[],
  probe: Float32Array,
  { least, after, before }: Omit<AboveQuestion, 'most'>,
): Match[] {
  return faces
    .filter(({ seq }) => seq > after && seq < before)
    .map((face) => ({ ...face, score: innerProduct(probe, face.template) }))
    .filter(({ score }) => score >= least);
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
function writePosition({ id }: Pick<GalleryRecord, 'id'>, at: PairPosition): string {
  return Buffer.from(`${id} ${at.later} ${at.earlier} ${at.compared}`).toString('base64url');
}

/** @throws Refusal `malformed` when it is none, or is of another gallery */
function readPosition({ id }: Pick<GalleryRecord, 'id'>, cursor: string | undefined): PairPosition {
  if (cursor === undefined) return { later: 0, earlier: 0, compared: 0 };
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [gallery, later = 0, earlier = 0, compared = 0] = /^\d{1,16}( \d{1,10}){3}$/.test(text)
    ? text.split(' ').map(Number)
    : [];
  if (gallery === id) return { later, earlier, compared };
  const problem = phrase(gallery === undefined ? 'noPairsCursor' : 'cursorOfAnotherGallery');
  throw new Refusal('pairsCursor', { problem });
}

/** Rounding of the product of a template with itself. */
const same = 1 - 1e-6;

/**
 * The people of pairs as they are enrolled now, best first. Left out are people who are marked as different, and those who
 * changed meanwhile: they come again.
 */
async function describePairs(
  { store, vault }: FeatureCore,
  gallery: GalleryRecord,
  pairs: readonly MatchedPair[],
  similarityOf: (score: number) => number,
): Promise<DuplicatePair[]> {
  const opener = vault.gallery(gallery);
  const faces = new Map<string, StoredFace | null>();
  for (const { userId } of pairs.flatMap(({ users }) => users)) {
    if (!faces.has(userId)) faces.set(userId, await store.faces.get(gallery.id, userId));
  }
  const described: DuplicatePair[] = [];
  for (const { users: pair, score } of pairs) {
    const [a, b] = pair.map(({ userId, seq }) => {
      const face = faces.get(userId);
      return face?.seq === seq && !hasEnded(face) ? face : null;
    });
    if (!a || !b || (await store.differentPeople.isMarked(gallery.id, [a.userId, b.userId]))) continue;
    const product = innerProduct(opener.open(a.userId, a.template), opener.open(b.userId, b.template));
    const similarity = product >= same ? 1 : similarityOf(score);
    const users = [a, b] as const;
    described.push({ users, similarity, falseMatchRate: rateAtSimilarity(similarity), score });
  }
  return described.sort((x, y) => y.similarity - x.similarity || y.score - x.score);
}
