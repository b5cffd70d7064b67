import { galleryScoreBins, scoreBins } from '@wajah/contract';
import type { CallFilter, ComparedProbe } from '../../events.ts';
import { countUp, createDelayed } from '../../lib/batch-writer.ts';
import { dayMs } from '../../lib/time.ts';
import type {
  ActivityCount,
  ActivityMeasure,
  ActivityStore,
  GalleryScoreCount,
  RefusedCall,
} from '../../store/activity-store.ts';
import { latencyBin } from './latency-bins.ts';

/** Resolutions that calls are counted in, seconds. */
export const steps = { minute: 60, hour: 3600 } as const;

/** A score of a face, and the decision. */
export interface RecordedScore {
  readonly value: number;
  readonly accepted: boolean;
}

/** The scores and the decision of a call. */
export interface Observed {
  readonly similarities: readonly RecordedScore[];
  readonly spoof: readonly RecordedScore[];
  /** Why the face was not accepted; null when it was, or when none was judged. */
  readonly denial: string | null;
}

export const nothingObserved: Observed = { similarities: [], spoof: [], denial: null };

/** An answered call. */
export interface RecordedCall extends Pick<RefusedCall, 'at' | 'clientId' | 'route' | 'status' | 'ms'> {
  readonly similarities: readonly RecordedScore[];
  readonly spoof: readonly RecordedScore[];
  /** Set when the call was refused or its face was not accepted. */
  readonly refused: Pick<
    RefusedCall,
    'error' | 'params' | 'detail' | 'trxId' | 'galleryId' | 'userId'
  > | null;
}

interface RecorderOptions {
  readonly store: Pick<ActivityStore, 'add' | 'addScores'>;
  readonly log: { warn(fields: object, message: string): void };
  /** False: nothing is recorded. */
  readonly on?: boolean;
  /** Interval between writes, milliseconds. */
  readonly everyMs?: number;
  /** Unwritten counts, and unwritten refused calls; more are dropped and their number is logged. */
  readonly most?: number;
}

export type ActivityRecorder = ReturnType<typeof createActivityRecorder>;

/**
 * Records calls in the background. It never throws and no call waits for it: counts are kept in memory and written at
 * intervals, so that the write load does not grow with the call rate. Unwritten records are lost when the process is
 * killed.
 *
 * @NOTE With several servers, a user erased at one may have been refused at another within `everyMs`: that record then
 * stays, with the user_id, until its retention ends.
 */
export function createActivityRecorder({
  store,
  log,
  on = true,
  everyMs = 2000,
  most = 5000,
}: RecorderOptions) {
  let pending = emptyBatch();
  let writing: Promise<void> = Promise.resolve();

  const write = async ({ counts, scores, refused, dropped }: Batch) => {
    if (dropped > 0) log.warn({ dropped }, 'records of calls were dropped: the buffer is full');
    try {
      await store.add([...counts.values()], refused);
      if (scores.size > 0) await store.addScores([...scores.values()]);
    } catch (error) {
      log.warn({ reason: String(error), counts: counts.size }, 'records of calls were not written');
    }
  };
  const flush = createDelayed(() => {
    const batch = pending;
    if (batch.counts.size === 0 && batch.scores.size === 0 && batch.refused.length === 0) return;
    pending = emptyBatch();
    writing = writing.then(() => write(batch));
  }, everyMs);
  return {
    record(call: RecordedCall): void {
      if (!on) return;
      addCall(pending, call, most);
      flush.start();
    },
    /** Counts the best similarity of a probe for its gallery, without its user. */
    compared(probe: ComparedProbe): void {
      if (!on) return;
      addProbe(pending, probe, most);
      flush.start();
    },
    /** Drops unwritten records and waits for those being written; to be awaited before the stored ones are erased. */
    async forget(filter: CallFilter): Promise<void> {
      pending.refused = pending.refused.filter((call) => !matches(call, filter));
      if (filter.galleryId === undefined && filter.userId === undefined) {
        for (const [key, { clientId }] of pending.counts)
          if (clientId === filter.clientId) pending.counts.delete(key);
      }
      await writing;
    },
    /** Resolves when all records so far are written or dropped. */
    async settled(): Promise<void> {
      flush.now();
      await writing;
    },
  };
}

interface Batch {
  readonly counts: Map<string, ActivityCount>;
  readonly scores: Map<string, GalleryScoreCount>;
  refused: RefusedCall[];
  dropped: number;
}

function emptyBatch(): Batch {
  return { counts: new Map(), scores: new Map(), refused: [], dropped: 0 };
}

/** Refused calls in one write, which takes about 8 ms with SQLite. */
const maxRefused = 500;

function addCall(batch: Batch, call: RecordedCall, most: number): void {
  count(batch, call, 'calls', call.status, latencyBin(call.ms), most);
  const scores: [ActivityMeasure, RecordedScore][] = [
    ...call.spoof.map((score): [ActivityMeasure, RecordedScore] => ['spoof', score]),
    ...call.similarities.map((score): [ActivityMeasure, RecordedScore] => ['similarity', score]),
  ];
  for (const [measure, { value, accepted }] of scores) {
    const bin = binOf(value, scoreBins);
    count(batch, call, measure, accepted ? 'yes' : 'no', bin, most);
  }
  if (!call.refused) return;
  if (batch.refused.length >= Math.min(most, maxRefused)) batch.dropped += 1;
  else batch.refused.push(refusedCall(call, call.refused));
}

/** @param value 0…1 */
function binOf(value: number, bins: number): number {
  return Math.min(bins - 1, Math.max(0, Math.floor(value * bins)));
}

function addProbe(batch: Batch, { at, gallery, comparison, similarity }: ComparedProbe, most: number): void {
  const day = Math.floor(at.getTime() / dayMs) * dayMs;
  const probe = { gallery, day, comparison, bin: binOf(similarity, galleryScoreBins) };
  if (!countUp(batch.scores, probe, most)) batch.dropped += 1;
}

function refusedCall(call: RecordedCall, refused: NonNullable<RecordedCall['refused']>): RefusedCall {
  const { at, clientId, route, status, ms, similarities, spoof } = call;
  const spoofScore = spoof.length === 0 ? null : Math.max(...spoof.map(({ value }) => value));
  return {
    ...refused,
    at,
    clientId,
    route,
    status,
    ms,
    similarity: similarities[0]?.value ?? null,
    spoofScore,
  };
}

function count(
  batch: Batch,
  { at, clientId, route }: RecordedCall,
  measure: ActivityMeasure,
  outcome: string,
  bin: number,
  most: number,
): void {
  for (const seconds of Object.values(steps)) {
    const length = seconds * 1000;
    const start = Math.floor(at.getTime() / length) * length;
    const counted: Omit<ActivityCount, 'count'> = { clientId, start, seconds, route, measure, outcome, bin };
    if (!countUp(batch.counts, counted, most)) batch.dropped += 1;
  }
}

function matches(call: RefusedCall, { clientId, galleryId, userId }: CallFilter): boolean {
  return (
    call.clientId === clientId &&
    (galleryId === undefined || call.galleryId === galleryId) &&
    (userId === undefined || call.userId === userId)
  );
}
