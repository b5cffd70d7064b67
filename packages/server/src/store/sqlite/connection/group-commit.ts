/** The part of a database connection that commits. */
interface Connection {
  transaction<T>(work: () => T, synced: boolean): T;
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

  constructor(db: Connection, max = maxGroup) {
    this.#db = db;
    this.#max = max;
  }

  /** Resolves when the writes of `work` are durable; rejects when none is. `work` must be synchronous. */
  write<T>(work: () => T, { synced }: WriteOptions = { synced: true }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, synced, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.#commit());
    });
  }

  /** Commits all queued writes. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commit();
  }

  #commit(): void {
    const group = this.#waiting.splice(0, this.#max);
    clearImmediate(this.#scheduled);
    this.#scheduled = this.#waiting.length > 0 ? setImmediate(() => this.#commit()) : undefined;
    let outcomes: Outcome[];
    try {
      const synced = group.some((job) => job.synced);
      outcomes = this.#db.transaction(() => group.map((job) => this.#try(job, group.length === 1)), synced);
    } catch (error) {
      outcomes = group.map(() => ({ error }));
    }
    for (const [i, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[i]!;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.result as never);
    }
  }

  #try({ work }: Job, alone: boolean): Outcome {
    if (alone) return { result: work() };
    this.#db.script('SAVEPOINT write');
    try {
      const result = work();
      this.#db.script('RELEASE write');
      return { result };
    } catch (error) {
      this.#undo(error);
      return { error };
    }
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
