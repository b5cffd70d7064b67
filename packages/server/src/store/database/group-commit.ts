/** The part of a database connection that commits. */
interface Connection {
  transact<T>(work: () => Promise<T>, synced: boolean): Promise<T>;
  script(sql: string): void;
}

interface Job extends WriteOptions {
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** How a group is written that has this write. */
interface WriteOptions {
  /** Whether the write waits for the disk; one that does not outlives the process, not a power failure. */
  readonly synced: boolean;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Maximum number of writes in one transaction; bounds how long it blocks the event loop. */
const maxGroup = 200;

/**
 * Group commit: writes of one turn of the event loop share a transaction and so one fsync. Groups grow with the load,
 * since writes arrive during the fsync. Each write has a savepoint, so that one that fails does not undo the others.
 */
export class GroupCommit {
  readonly #db: Connection;
  readonly #max: number;
  #waiting: Job[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #running: Promise<void> | undefined;

  constructor(db: Connection, max = maxGroup) {
    this.#db = db;
    this.#max = max;
  }

  /** Resolves when the writes of `work` are durable; rejects when none is. */
  write<T>(work: () => T | Promise<T>, { synced }: WriteOptions = { synced: true }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, synced, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits all queued writes. */
  async flush(): Promise<void> {
    while (this.#running || this.#waiting.length > 0) await (this.#running ?? this.#start());
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
      const synced = group.some((job) => job.synced);
      outcomes = await this.#db.transact(() => this.#runAll(group), synced);
    } catch (error) {
      outcomes = group.map(() => ({ error }));
    }
    for (const [i, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[i]!;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.result as never);
    }
  }

  async #runAll(group: readonly Job[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const { work } of group) {
      if (group.length === 1) return [{ result: await work() }];
      this.#db.script('SAVEPOINT write');
      try {
        let result = work();
        // Most are single statements: a turn less.
        if (result instanceof Promise) result = await result;
        this.#db.script('RELEASE write');
        outcomes.push({ result });
      } catch (error) {
        this.#undo(error);
        outcomes.push({ error });
      }
    }
    return outcomes;
  }

  /** A full disk rolls back the whole transaction with its savepoints: then the whole group fails. */
  #undo(error: unknown): void {
    try {
      this.#db.script('ROLLBACK TO write; RELEASE write');
    } catch {
      throw error;
    }
  }
}
