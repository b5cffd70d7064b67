import type { SqliteDatabase } from './database.ts';

interface Job {
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Writes of one transaction at most: it bounds how long the event loop stands still. */
const maxGroup = 200;

/**
 * Writes that come in one turn of the event loop share a transaction, and so one wait for the disk. While the disk
 * is waited for others arrive, so the more there are, the larger the groups. Each write has a savepoint: one that
 * fails takes none of the others with it.
 */
export class GroupCommit {
  readonly #db: SqliteDatabase;
  readonly #max: number;
  #waiting: Job[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(db: SqliteDatabase, max = maxGroup) {
    this.#db = db;
    this.#max = max;
  }

  /** Resolves when what `work` wrote is on disk; rejects when nothing of it is. `work` must not be async. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.#commit());
    });
  }

  /** Commits what waits. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commit();
  }

  #commit(): void {
    const group = this.#waiting.splice(0, this.#max);
    clearImmediate(this.#scheduled);
    this.#scheduled = this.#waiting.length > 0 ? setImmediate(() => this.#commit()) : undefined;
    let outcomes: Outcome[];
    try {
      outcomes = this.#db.transaction(() => group.map((job) => this.#try(job, group.length === 1)));
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

  /** Where a full disk has ended the whole transaction no savepoint is left: all of the group fail of the same. */
  #undo(error: unknown): void {
    try {
      this.#db.script('ROLLBACK TO write; RELEASE write');
    } catch {
      throw error;
    }
  }
}
