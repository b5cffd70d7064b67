import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items in one write. */
const maxBatch = 200;
/** Items that may wait; further ones are lost. */
const maxWaiting = 10_000;

/** Where a batch writer writes. */
interface BatchTarget<Item, Result> {
  /** Writes all of them or none. @returns a result for each */
  write(items: readonly Item[]): Promise<readonly Result[]>;
  /** Whether the target takes nothing now, so that no item is to blame. */
  isOutage(error: unknown): boolean;
  /** Is told of lost items; it must not throw. @param error null: too many waited */
  lost(items: readonly Item[], error: unknown): void;
  /** Milliseconds that items wait for others; default: until the end of the turn of the event loop. */
  readonly waitMs?: number;
  /** Milliseconds until items are written again after an outage; their callers do not wait. Absent: they are lost. */
  readonly retryMs?: number;
}

type Jobs<Item, Result> = readonly {
  readonly item: Item;
  readonly resolve: (result: Result | null) => void;
}[];

/**
 * Writes items in the background: in order, those of one turn of the event loop together. A batch that fails is written one by one,
 * because one item may be the reason.
 */
export function createBatchWriter<Item, Result>(target: BatchTarget<Item, Result>) {
  const waiting: Jobs<Item, Result>[number][] = [];
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let outage: unknown = null;
  const writeAll = async () => {
    clearTimeout(timer);
    while (waiting.length > 0) {
      const stopped = await writeBatch(target, waiting.splice(0, maxBatch));
      if (!stopped) continue;
      outage = stopped.error;
      waiting.unshift(...stopped.jobs);
      for (const { resolve } of waiting) resolve(null);
      timer = setTimeout(start, target.retryMs).unref();
      break;
    }
    running = null;
  };
  const start = () => {
    running ??= nextTurn().then(writeAll);
  };
  const later = target.waitMs === undefined ? null : createDelayed(start, target.waitMs);
  return {
    /** Resolves with null when the item is lost, or waits for the end of an outage. Never rejects. */
    add: (item: Item): Promise<Result | null> =>
      new Promise((resolve) => {
        if (waiting.length >= maxWaiting) return drop(target, [{ item, resolve }], null);
        waiting.push({ item, resolve });
        if (later && waiting.length < maxBatch) later.start();
        else start();
      }),
    /** Writes what waits. */
    now(): void {
      if (waiting.length > 0) start();
    },
    /** Resolves when all items so far are written or lost. */
    async settled(): Promise<void> {
      start();
      while (running !== null) await running;
      clearTimeout(timer);
      drop(target, waiting.splice(0), outage);
    },
  };
}

/** @returns the outage, and what waits for its end; null: each job is written or lost */
async function writeBatch<Item, Result>(
  target: BatchTarget<Item, Result>,
  jobs: Jobs<Item, Result>,
): Promise<{ readonly jobs: Jobs<Item, Result>; readonly error: unknown } | null> {
  try {
    const results = await target.write(jobs.map(({ item }) => item));
    for (const [i, { resolve }] of jobs.entries()) resolve(results[i] ?? null);
    return null;
  } catch (error) {
    const isOutage = target.isOutage(error);
    if (isOutage && target.retryMs !== undefined) return { jobs, error };
    if (isOutage || jobs.length === 1) drop(target, jobs, error);
    else {
      for (const [i, job] of jobs.entries()) {
        const stopped = await writeBatch(target, [job]);
        if (stopped) return { jobs: jobs.slice(i), error: stopped.error };
      }
    }
    return null;
  }
}

function drop<Item, Result>(
  target: BatchTarget<Item, Result>,
  jobs: Jobs<Item, Result>,
  error: unknown,
): void {
  if (jobs.length === 0) return;
  const items = jobs.map(({ item }) => item);
  target.lost(items, error);
  for (const { resolve } of jobs) resolve(null);
}

/**
 * Counts one more of a kind.
 * @param kind whose values tell it from others
 * @param most kinds that the table may have
 * @returns false when there is no room for another kind
 */
export function countUp<Kind extends object>(
  table: Map<string, Kind & { readonly count: number }>,
  kind: Kind,
  most: number,
): boolean {
  const key = Object.values(kind).join('\n');
  const existing = table.get(key);
  if (!existing && table.size >= most) return false;
  table.set(key, { ...kind, count: (existing?.count ?? 0) + 1 });
  return true;
}

/** Calls `flush` some time after the first `start` since the last time. @param ms milliseconds */
export function createDelayed(flush: () => void, ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    flush();
  };
  return {
    start(): void {
      timer ??= setTimeout(now, ms).unref();
    },
    /** Calls it now. */
    now,
  };
}

/** Collects in memory, and writes at intervals, so that the write load does not grow with what is collected. */
export function createIntervalWriter<Batch>(target: {
  empty(): Batch;
  /** Is called for one batch after the other. */
  write(batch: Batch): Promise<void>;
  /** A batch was not written. */
  lost(error: unknown): void;
  /** Milliseconds. */
  readonly everyMs: number;
}) {
  let waiting: Batch | null = null;
  let writing: Promise<void> = Promise.resolve();
  const later = createDelayed(() => {
    const batch = waiting;
    waiting = null;
    if (batch !== null) writing = writing.then(() => target.write(batch)).catch(target.lost);
  }, target.everyMs);
  return {
    /** What is written next: the caller adds to it. */
    batch(): Batch {
      later.start();
      waiting ??= target.empty();
      return waiting;
    },
    /** Null: nothing waits. */
    waiting: () => waiting,
    /** Resolves when what no longer waits is written or lost. */
    written: () => writing,
    /** Resolves when all so far is written or lost. */
    async settled(): Promise<void> {
      later.now();
      await writing;
    },
  };
}
