import Database from 'libsql';
import { localMetaKeys } from '../../copy/tables.ts';
import { testValue, WriteHealthCheck } from '../../write-health-check.ts';
import { isUnavailable, toStoreError } from './failures.ts';
import { GroupCommit } from './group-commit.ts';
import { InodeGuard } from './inode-guard.ts';

/** What a query may be given. Whole numbers must be safe integers; times are milliseconds since 1970. */
export type SqlValue = string | number | Uint8Array | null;

/**
 * One SQLite connection, used synchronously: a transaction begins and ends within one turn of the event loop,
 * so the transactions of concurrent callers cannot interleave and need no queue. That is why no asynchronous
 * query builder stands between: with one, each awaited query inside a transaction would let others in.
 */
export class SqliteDatabase {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #file: InodeGuard;
  readonly #group: GroupCommit;
  readonly #readOnly: boolean;
  readonly #doubt = new WriteHealthCheck(() => this.#probe());
  #retry: NodeJS.Timeout | undefined;

  /**
   * @param maxGroup writes that may share one wait for the disk
   * @param readOnly beside the connection of another thread that writes
   * @throws the driver's error when the file cannot be opened or is no database
   */
  constructor(file: string, maxGroup?: number, readOnly = false) {
    this.#db = new Database(file);
    this.#file = new InodeGuard(file);
    this.#group = new GroupCommit(this, maxGroup);
    this.#readOnly = readOnly;
    for (const setting of readOnly ? readOnlySettings : settings) this.all(`PRAGMA ${setting}`);
  }

  /** @returns how many rows changed */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(requireStorable(values)).changes;
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    // Not the driver's get(): that adds a property to the row and returns blobs as another type than all() does.
    return this.all<Row>(sql, ...values)[0];
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(requireStorable(values)) as Row[];
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    this.#db.exec(sql);
  }

  /**
   * Runs `work` whole or not at all, in one transaction with what others write in the same turn; when it resolves,
   * its writes are on disk. `work` must not be async.
   * @throws StoreUnavailable when the disk is full, fails or is read-only, or the file is gone; nothing is written then
   */
  async write<T>(work: () => T): Promise<T> {
    if (!this.#db.open) throw new Error('the store is closed');
    try {
      return await this.#group.write(work);
    } catch (error) {
      if (isUnavailable(error)) this.#doubt.reportFailure();
      throw toStoreError(error);
    }
  }

  /** Asked often. @throws StoreUnavailable when something could not be written, and still nothing can */
  async requireWritable(): Promise<void> {
    this.#file.requireUnchanged();
    await this.#doubt.requireWritable();
  }

  /** It is of several pages: a log that has room left takes one more on a full disk. */
  async #probe(): Promise<void> {
    await this.write(() =>
      this.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', localMetaKeys.writeTest, testValue()),
    );
    await this.write(() => this.run('DELETE FROM meta WHERE key = ?', localMetaKeys.writeTest));
  }

  /** Runs `work` whole or not at all, at once; when it returns, its writes are on disk. `work` must not be async. */
  transaction<T>(work: () => T): T {
    this.#file.requireUnchanged();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk may have rolled it back already.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Everything that `work` reads is as of one moment, whoever writes meanwhile. It must not wait. */
  readTransaction<T>(work: () => T): T {
    this.#db.exec('BEGIN');
    try {
      return work();
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  /**
   * Makes an erasure true on disk: deleted cells are overwritten in their pages (secure_delete), the pages are
   * copied to the main file and the log, which holds older copies, is cut to nothing. While another program reads
   * the file (a backup, say) the log cannot be cut, nor where the disk is full; then this is tried again until it can.
   *
   * @NOTE When SQLite merges half-empty pages it can leave a copy of a row in a page's unused space until that is
   * needed: of 2,800 faces erased with their galleries, 3 names and sealed templates were found (the templates
   * without their key). Only VACUUM, which rewrites the whole file, would rule that out.
   */
  purge(): void {
    if (this.#cutLog() || this.#retry) return;
    this.#retry = setInterval(() => this.#cutLog(), retryMs);
    this.#retry.unref();
  }

  /** The driver closes the file once its statements are collected; until then it must hold nothing unwritten. */
  close(): void {
    if (!this.#db.open) return;
    this.#group.flush();
    if (!this.#readOnly) this.#cutLog();
    clearInterval(this.#retry);
    this.#statements.clear();
    this.#db.close();
  }

  /** @returns whether it could be done, without waiting for those who read; not, say, where the disk is full */
  #cutLog(): boolean {
    this.all('PRAGMA busy_timeout = 0');
    try {
      const [result] = this.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
      if (result?.busy !== 0) return false;
    } catch (error) {
      // What was written is on disk in any case: in the log.
      if (isUnavailable(error)) return false;
      throw error;
    } finally {
      this.all(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
    clearInterval(this.#retry);
    this.#retry = undefined;
    return true;
  }

  #prepare(sql: string): Database.Statement {
    if (!this.#db.open) throw new Error('the store is closed');
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** How long a statement waits for another program that holds the file. */
const busyTimeoutMs = 3000;

const retryMs = 5000;

const settings = [
  `busy_timeout = ${busyTimeoutMs}`,
  'journal_mode = WAL',
  // Without it a commit in WAL mode survives a crash of the process, not a power cut.
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
];

const readOnlySettings = [`busy_timeout = ${busyTimeoutMs}`, 'query_only = ON'];

/** The driver would cut the text there when it is read again, and two names could become one. */
function requireStorable(values: SqlValue[]): SqlValue[] {
  for (const value of values) {
    if (typeof value === 'string' && value.includes('\0')) throw new Error('text with U+0000 is not stored');
  }
  return values;
}
