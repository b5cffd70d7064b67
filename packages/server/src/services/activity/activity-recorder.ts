import { scoreBins } from '@wajah/contract';
import type {
  ActivityCount,
  ActivityMeasure,
  ActivityStore,
  RefusedCall,
} from '../../store/activity-store.ts';
import { latencyBin } from './latency-bins.ts';

/** Steps of time that calls are counted in, seconds. */
export const steps = { minute: 60, hour: 3600 } as const;

/** A score of a face, and whether the face was accepted by it. */
export interface RecordedScore {
  readonly value: number;
  readonly accepted: boolean;
}

/** A call that was answered. */
export interface RecordedCall extends Pick<RefusedCall, 'at' | 'clientId' | 'route' | 'status' | 'ms'> {
  readonly similarity: RecordedScore | null;
  readonly spoof: readonly RecordedScore[];
  /** When the call was refused, or its face was. */
  readonly refused: Pick<RefusedCall, 'detail' | 'trxId' | 'galleryId' | 'userId'> | null;
}

/** Whose calls: of a client, a gallery, or one user. */
export interface Whose {
  readonly clientId: string;
  readonly galleryId?: string;
  readonly userId?: string;
}

/** Keeps what is called, in the background. It never throws, and no call waits for it. */
export interface ActivityRecorder {
  record(call: RecordedCall): void;
  /** Drops what waits to be written; to be called before the same is erased from the store. */
  forget(whose: Whose): void;
  /** Resolves when all so far is written or given up. */
  settled(): Promise<void>;
}

export interface RecorderOptions {
  readonly store: Pick<ActivityStore, 'add'>;
  readonly log: { warn(fields: object, message: string): void };
  /** How long counts are gathered before they are written, milliseconds. */
  readonly everyMs?: number;
  /** Different counts and refused calls that may wait to be written; more are dropped, and counted. */
  readonly most?: number;
}

/** For a server that keeps no activity. */
export const noActivity: ActivityRecorder = { record() {}, forget() {}, settled: async () => {} };

/**
 * Counts in memory, and writes what came together: a server that is called often writes no more than one that is
 * called now and then. What waits is lost when the process dies.
 *
 * @NOTE With several servers, a user who is erased at one may have been refused at another within `everyMs`: that
 * call is then kept, with the user_id, until it is too old.
 */
export function createActivityRecorder({
  store,
  log,
  everyMs = 2000,
  most = 5000,
}: RecorderOptions): ActivityRecorder {
  let waiting = emptyBatch();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async ({ counts, refused, dropped }: Batch) => {
    if (dropped > 0) log.warn({ dropped }, 'more was called than could be counted');
    try {
      await store.add([...counts.values()], refused);
    } catch (error) {
      log.warn({ reason: String(error), counts: counts.size }, 'what was called was not kept');
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    if (batch.counts.size === 0 && batch.refused.length === 0) return;
    waiting = emptyBatch();
    writing = writing.then(() => write(batch));
  };
  return {
    record(call) {
      addCall(waiting, call, most);
      timer ??= setTimeout(flush, everyMs).unref();
    },
    forget(whose) {
      waiting.refused = waiting.refused.filter((call) => !isOf(call, whose));
      if (whose.galleryId !== undefined) return;
      for (const [key, { clientId }] of waiting.counts)
        if (clientId === whose.clientId) waiting.counts.delete(key);
    },
    async settled() {
      flush();
      await writing;
    },
  };
}

interface Batch {
  readonly counts: Map<string, ActivityCount>;
  refused: RefusedCall[];
  dropped: number;
}

function emptyBatch(): Batch {
  return { counts: new Map(), refused: [], dropped: 0 };
}

/** Refused calls that are written at once: about 8 ms of the embedded store. */
const mostRefused = 500;

function addCall(batch: Batch, call: RecordedCall, most: number): void {
  count(batch, call, 'calls', call.status, latencyBin(call.ms), most);
  const scores: [ActivityMeasure, RecordedScore][] = call.spoof.map((score) => ['spoof', score]);
  if (call.similarity) scores.push(['similarity', call.similarity]);
  for (const [measure, { value, accepted }] of scores) {
    const bin = Math.min(scoreBins - 1, Math.max(0, Math.floor(value * scoreBins)));
    count(batch, call, measure, accepted ? 'yes' : 'no', bin, most);
  }
  if (!call.refused) return;
  if (batch.refused.length >= Math.min(most, mostRefused)) batch.dropped += 1;
  else batch.refused.push(refusedCall(call, call.refused));
}

function refusedCall(call: RecordedCall, refused: NonNullable<RecordedCall['refused']>): RefusedCall {
  const { at, clientId, route, status, ms, similarity, spoof } = call;
  const worst = spoof.length === 0 ? null : Math.max(...spoof.map(({ value }) => value));
  return {
    ...refused,
    ...{ at, clientId, route, status, ms },
    similarity: similarity?.value ?? null,
    spoofScore: worst,
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
    const key = [clientId, seconds, start, route, measure, outcome, bin].join('\n');
    const known = batch.counts.get(key);
    if (!known && batch.counts.size >= most) {
      batch.dropped += 1;
      continue;
    }
    batch.counts.set(key, {
      ...{ clientId, start, seconds, route, measure, outcome, bin },
      count: (known?.count ?? 0) + 1,
    });
  }
}

function isOf(call: RefusedCall, { clientId, galleryId, userId }: Whose): boolean {
  return (
    call.clientId === clientId &&
    (galleryId === undefined || call.galleryId === galleryId) &&
    (userId === undefined || call.userId === userId)
  );
}
