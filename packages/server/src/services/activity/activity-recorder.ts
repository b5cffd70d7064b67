import { galleryScoreBins } from '@wajah/contract';
import type { CallFilter, ComparedProbe, RecordedCall } from '../../events/ports.ts';
import { countUp, createDelayed } from '../../lib/batch-writer.ts';
import { dayMs } from '../../lib/time.ts';
import type { ActivityCount, ActivityStore, GalleryScoreCount, RefusedCall } from '../../store/ports.ts';
import { latencyBin } from './latency-bins.ts';
import type { ActivityRecorder, Observed } from './ports.ts';

/** Resolutions that calls are counted in, seconds. */
export const steps: { readonly minute: number; readonly hour: number } = { minute: 60, hour: 3600 };

export const nothingObserved: Observed = { similarity: null, spoofScore: null, denial: null };

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
}: RecorderOptions): ActivityRecorder {
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
    record(call) {
      if (!on) return;
      addCall(pending, call, most);
      flush.start();
    },
    compared(probe) {
      if (!on) return;
      addProbe(pending, probe, most);
      flush.start();
    },
    async forget(filter) {
      pending.refused = pending.refused.filter((call) => !matches(call, filter));
      if (filter.galleryId === undefined && filter.userId === undefined) {
        for (const [key, { clientId }] of pending.counts)
          if (clientId === filter.clientId) pending.counts.delete(key);
      }
      await writing;
    },
    async settled() {
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

function addCall(batch: Batch, { refused, ...call }: RecordedCall, most: number): void {
  const { at, clientId, route, status, ms } = call;
  for (const seconds of Object.values(steps)) {
    const length = seconds * 1000;
    const start = Math.floor(at.getTime() / length) * length;
    const counted = { clientId, start, seconds, route, status, latency: latencyBin(ms) };
    if (!countUp(batch.counts, counted, most)) batch.dropped += 1;
  }
  if (!refused) return;
  if (batch.refused.length >= Math.min(most, maxRefused)) batch.dropped += 1;
  else batch.refused.push({ ...call, ...refused });
}

function addProbe(batch: Batch, { at, gallery, comparison, similarity }: ComparedProbe, most: number): void {
  const day = Math.floor(at.getTime() / dayMs) * dayMs;
  const bin = Math.min(galleryScoreBins - 1, Math.max(0, Math.floor(similarity * galleryScoreBins)));
  const probe = { gallery, day, comparison, bin };
  if (!countUp(batch.scores, probe, most)) batch.dropped += 1;
}

function matches(call: RefusedCall, { clientId, galleryId, userId }: CallFilter): boolean {
  return (
    call.clientId === clientId &&
    (galleryId === undefined || call.galleryId === galleryId) &&
    (userId === undefined || call.userId === userId)
  );
}
