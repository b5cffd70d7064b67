import { createDelayed } from '../../lib/batch-writer.ts';

/** The part of a database connection that commits. */
interface Connection {
  /** The writes outlive the process when it resolves. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  run(sql: string): unknown;
  /** Whether a transaction is open: a full disk rolls it back. */
  inTransaction(): boolean;
  /** Resolves when what was committed before is on the disk. */
  sync(): Promise<void>;
}

interface Job {
  readonly work: () => unknown;
  readonly onDisk: OnDisk;
  readonly single: boolean;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * When a write is on the disk: `now`, when it is acknowledged · `soon`, at most `soonMs` later · `later`, with the next
 * one that waits, or a checkpoint.
 */
type OnDisk = 'now' | 'soon' | 'later';

export interface WriteOptions {
  /** Default: `now`. */
  readonly onDisk?: OnDisk | undefined;
  /** One statement, which undoes itself when it fails. */
  readonly single?: boolean | undefined;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Maximum number of writes in one transaction; bounds how long it blocks the event loop. */
const maxGroup = 200;

/** Milliseconds. */
const soonMs = 50;

/**
 * Group commit: writes of one turn of the event loop share a transaction, and those that wait for the disk while it is
 * written share the next fsync, which runs on another thread. A write of several statements has a savepoint, so that it
 * does not undo the others when it fails.
 */
export class GroupCommit {
  readonly #db: Connection;
  readonly #max: number;
  #waiting: Job[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #running: Promise<void> | undefined;
  readonly #sync: () => Promise<void>;
  readonly #soon: ReturnType<typeof createDelayed>;

  constructor(db: Connection, max = maxGroup) {
    this.#db = db;
    this.#max = max;
    this.#sync = inTurns(() => db.sync());
    // A failure is that of the next write that waits.
    this.#soon = createDelayed(() => void this.#sync().catch(() => {}), soonMs);
  }

  /**
   * Resolves when the writes of `work` are durable. Rejects when none is made, or when the disk fails: then it is unknown
   * which of them outlive a power failure.
   */
  write<T>(work: () => T | Promise<T>, { onDisk = 'now', single = false }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, onDisk, single, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits all queued writes, and acknowledges them. */
  async flush(): Promise<void> {
    while (this.#running || this.#waiting.length > 0) await (this.#running ?? this.#start());
    this.#soon.now();
    await this.#sync().catch(() => {});
  }

  #schedule(): void {
    if (this.#running || this.#waiting.length === 0) return;
    this.#scheduled ??= setImmediate(() => this.#start());
  }

  #start(): Promise<void> {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    this.#running = this.#commit().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
    return this.#running;
  }

  async #commit(): Promise<void> {
    const group = this.#waiting.splice(0, this.#max);
    let outcomes: Outcome[];
    try {
      outcomes = await this.#db.transact(() => this.#runAll(group));
    } catch (error) {
      outcomes = group.map(() => ({ error }));
    }
    const made = new Set(group.filter((_, i) => !('error' in outcomes[i]!)).map(({ onDisk }) => onDisk));
    const synced = made.has('now') ? this.#sync() : null;
    if (!synced && made.has('soon')) this.#soon.start();
    for (const [i, { onDisk, resolve, reject }] of group.entries()) {
      const outcome = outcomes[i]!;
      if ('error' in outcome) reject(outcome.error);
      else if (onDisk === 'now') void synced?.then(() => resolve(outcome.result as never), reject);
      else resolve(outcome.result as never);
    }
  }

  async #runAll(group: readonly Job[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const { work, single } of group) {
      if (group.length === 1) return [{ result: await work() }];
      if (!single) this.#db.run('SAVEPOINT write');
      try {
        let result = work();
        // Most are single statements: a turn less.
        if (result instanceof Promise) result = await result;
        if (!single) this.#db.run('RELEASE write');
        outcomes.push({ result });
      } catch (error) {
        // The whole group fails with the transaction.
        if (!this.#db.inTransaction()) throw error;
        if (!single) this.#undo();
        outcomes.push({ error });
      }
    }
    return outcomes;
  }

  #undo(): void {
    this.#db.run('ROLLBACK TO write');
    this.#db.run('RELEASE write');
  }
}

/** @returns runs `work` once at a time: all who ask while it runs share the run after it */
function inTurns(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | null = null;
  const run = () => {
    next = null;
    return work();
  };
  return () => {
    next ??= last = last.then(run, run);
    return next;
  };
}
