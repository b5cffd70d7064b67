import type { CallFilter, RecordedCall } from '../../events/ports.ts';
import type { DetailOf } from '../../events/table.ts';
import { countUp, createIntervalWriter } from '../../lib/batch-writer.ts';
import { dayOf } from '../../lib/time.ts';
import type { ActivityRecorder, ActivityStore, CallCount, RefusedCall } from './ports.ts';

interface RecorderOptions {
  readonly store: Pick<ActivityStore, 'add'>;
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
  const writer = createIntervalWriter<Batch>({
    empty: () => ({ counts: new Map(), refused: [], dropped: 0 }),
    async write({ counts, refused, dropped }) {
      if (dropped > 0) log.warn({ dropped }, 'records of calls were dropped: the buffer is full');
      await store.add([...counts.values()], refused);
    },
    lost: (error) => log.warn({ reason: String(error) }, 'records of calls were not written'),
    everyMs,
  });
  return {
    count({ name, detail }) {
      if (!on || name !== 'request') return;
      const call = (detail as DetailOf<'request'>)?.call;
      if (call) addCall(writer.batch(), call, most);
    },
    async forget(filter) {
      const batch = writer.waiting();
      if (batch) forgetCalls(batch, filter);
      await writer.written();
    },
    settled: writer.settled,
  };
}

interface Batch {
  readonly counts: Map<string, CallCount>;
  refused: RefusedCall[];
  dropped: number;
}

/** Refused calls in one write, which takes about 8 ms with SQLite. */
const maxRefused = 500;

function addCall(batch: Batch, { refused, ...call }: RecordedCall, most: number): void {
  const { at, clientId, route, status } = call;
  if (!countUp(batch.counts, { clientId, day: dayOf(at.getTime()), route, status }, most)) batch.dropped += 1;
  if (!refused) return;
  if (batch.refused.length >= Math.min(most, maxRefused)) batch.dropped += 1;
  else batch.refused.push({ ...call, ...refused });
}

function forgetCalls(batch: Batch, filter: CallFilter): void {
  batch.refused = batch.refused.filter((call) => !matches(call, filter));
  if (filter.galleryId !== undefined || filter.userId !== undefined) return;
  for (const [key, { clientId }] of batch.counts) if (clientId === filter.clientId) batch.counts.delete(key);
}

function matches(call: RefusedCall, { clientId, galleryId, userId }: CallFilter): boolean {
  return (
    call.clientId === clientId &&
    (galleryId === undefined || call.galleryId === galleryId) &&
    (userId === undefined || call.userId === userId)
  );
}
