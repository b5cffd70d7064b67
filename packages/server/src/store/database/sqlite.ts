import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type Database from 'libsql';
import { StoreReadOnly, StoreUnavailable } from '../../errors.ts';
import { createDamagedRows } from './damaged-rows.ts';
import { openWithDriver } from './driver.ts';
import { GroupCommit, type WriteOptions } from './group-commit.ts';
import { OpeningMark } from './opening-mark.ts';
import { type Database as AnyDatabase, allRows, type Session, type SqlValue, sqlite } from './session.ts';
import { WriteHealthCheck } from './write-health-check.ts';

/**
 * One SQLite connection, whose statements are synchronous. Transactions of concurrent callers run one after the other,
 * several in one commit; the statements that others run meanwhile read over a second connection.
 */
export class SqliteDatabase {
  readonly #db: Database.Database;
  readonly damagedRows = createDamagedRows();
  readonly #statements = new Map<string, Statement>();
  /** Statements of `runAll`, as written and for one row. */
  readonly #ofRows = new Map<string, string>();
  readonly #file: string;
  readonly #inode: string;
  readonly #group: GroupCommit;
  readonly #readOnly: boolean;
  readonly #health = new WriteHealthCheck(() => this.shared);
  #reserve: DiskReserve | null = null;
  #mark: OpeningMark | null = null;
  #retry: NodeJS.Timeout | undefined;
  /** The disk was full at the last write, and the reserve is spent. */
  #full = false;
  #nextFillAt = 0;
  #damage: string | null = null;
  /** Whether a commit waits for the disk itself. */
  #synced = true;
  /** The log, which is there as long as the database is open. */
  #log: Promise<FileHandle> | undefined;
  /** A transaction of the group commit is open. */
  #isOpen = false;
  #isClosing = false;
  #reader: SqliteDatabase | undefined;

  /**
   * @param maxGroup maximum number of writes in one commit
   * @param access `read`: a second connection, beside one that writes, or to look: it leaves file and log as they are;
   *   `file`: as `read`, whatever the log says
   * @throws the driver's error when the file cannot be opened or is no database
   */
  constructor(file: string, maxGroup?: number, access: 'write' | 'read' | 'file' = 'write') {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const readOnly = access !== 'write';
    const how = access === 'file' ? 'mode=ro&immutable=1' : 'mode=ro';
    this.#db = openWithDriver(readOnly ? `${pathToFileURL(file)}?${how}` : file);
    this.#file = file;
    this.#inode = inodeOf(file);
    this.#group = new GroupCommit(this, maxGroup);
    this.#readOnly = readOnly;
    for (const setting of readOnly ? settings.slice(0, 1) : settings) this.all(`PRAGMA ${setting}`);
  }

  /** @returns number of changed rows */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(requireStorable(values)).changes;
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    // Half as long as all(), which crosses into the driver three times.
    return this.#prepare(sql).get(requireStorable(values)) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(requireStorable(values)) as Row[];
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    this.#db.exec(sql);
  }

  /** Statements inside a transaction. */
  readonly #session: Session = {
    dialect: sqlite,
    damaged: this.damagedRows.add,
    all: async (sql, ...values) => this.all(sql, ...values),
    get: async (sql, ...values) => this.get(sql, ...values),
    run: async (sql, ...values) => this.run(sql, ...values),
    runAll: async (sql, columns, rows) => {
      let one = this.#ofRows.get(sql);
      if (one === undefined) {
        const names = Object.keys(columns);
        const places = names.map((_, i) => `$${i + 1}`);
        const table = `(SELECT ${names.map((name, i) => `${places[i]} AS ${name}`)}) AS n`;
        // Half as long as a selection.
        one = sql.replace(allRows(columns), `VALUES (${places})`).replaceAll(':rows', table);
        this.#ofRows.set(sql, one);
      }
      for (const row of rows) this.run(one, ...row);
    },
  };

  /** As the store uses it. */
  readonly shared: AnyDatabase = {
    dialect: sqlite,
    damaged: this.damagedRows.add,
    all: async (sql, ...values) => this.#reading().all(sql, ...values),
    get: async (sql, ...values) => this.#reading().get(sql, ...values),
    run: (sql, ...values) => this.write(() => this.run(sql, ...values), { single: true }),
    runAll: (sql, columns, rows) => this.write((session) => session.runAll(sql, columns, rows)),
    transaction: (work, { erases, relaxed } = {}) =>
      this.write(work, { erases, ...(relaxed && { onDisk: 'soon' }) }),
    count: (sql, ...values) => this.write(() => this.get(sql, ...values), { onDisk: 'later', single: true }),
    erase: (sql, ...values) => this.write(() => this.run(sql, ...values), { erases: true, single: true }),
    returning: (sql, ...values) => this.write(() => this.get(sql, ...values), { single: true }),
    purge: () => this.purge(),
  };

  /** What a transaction has not committed is not read. */
  #reading(): SqliteDatabase {
    if (!this.#isOpen) return this;
    this.#reader ??= new SqliteDatabase(this.#file, undefined, 'read');
    return this.#reader;
  }

  /**
   * Runs `work` atomically, in one transaction with the other writes of the same turn of the event loop; durable when
   * it resolves.
   * @param options of the group commit; `erases`: `work` only erases and is also done on a full disk, in space that is
   *   kept for it
   * @throws StoreReadOnly when the disk is full or read-only @throws StoreUnavailable when it fails or the file is
   *   gone; nothing is written, or it is unknown whether the disk has it
   */
  async write<T>(
    given: (session: Session) => T | Promise<T>,
    { erases = false, ...options }: WriteOptions & { readonly erases?: boolean | undefined } = {},
  ): Promise<T> {
    const work = () => given(this.#session);
    if (!this.#db.open || this.#isClosing) throw new Error('the store is closed');
    if (this.#full && !erases) this.#requireSpace();
    try {
      return await this.#group.write(work, options).catch((error: unknown) => {
        if (!isFull(error)) throw error;
        this.#spendReserve();
        if (erases) return this.#group.write(work, options);
        throw error;
      });
    } catch (error) {
      if (isUnavailable(error)) this.#health.reportFailure();
      throw toStoreError(error);
    } finally {
      // The log must not grow into the space of the next erasure.
      if (this.#full) this.#truncateLog();
    }
  }

  /** Keeps disk space free for erasures, as long as the file exists. */
  reserveSpace(): void {
    this.#reserve = new DiskReserve(this.#file);
    this.#reserve.fill();
  }

  /**
   * From now on the loss of the log is noticed, see `OpeningMark`; not on a disk that is full at this moment.
   * @param former `openingOf` the file before it was opened
   */
  markOpening(former: number): void {
    try {
      this.#mark = new OpeningMark(this.#file, { former, rows: this.addedRows() });
      this.all(`PRAGMA user_version = ${this.#mark.opening}`);
      if (this.#truncateLog()) this.#mark.confirm();
    } catch (error) {
      if (!isUnavailable(error) && (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  /** How many rows were ever committed to tables that count: people, galleries, records and sessions. It only grows. */
  addedRows(): number {
    const sql = 'SELECT sum(seq) AS rows FROM sqlite_sequence';
    return this.#reading().get<{ rows: number | null }>(sql)?.rows ?? 0;
  }

  #spendReserve(): void {
    if (!this.#reserve) return;
    this.#full = true;
    this.#reserve.release();
    this.#truncateLog();
  }

  /** @throws StoreReadOnly while the reserve cannot be filled again and erasures have not freed pages of the file */
  #requireSpace(): void {
    if (performance.now() >= this.#nextFillAt) {
      this.#nextFillAt = performance.now() + fillRetryMs;
      if (this.#reserve?.fill()) this.#full = false;
    }
    if (!this.#full) return;
    const [free] = this.all<{ freelist_count: number }>('PRAGMA freelist_count');
    if ((free?.freelist_count ?? 0) < minFreePages) throw toStoreError({ code: fullCode });
  }

  /** From now on `requireWritable` throws. */
  reportDamage(damage: string): void {
    this.#damage = damage;
  }

  /** @throws StoreUnavailable when the file is damaged, or a write failed and writes still fail */
  async requireWritable(): Promise<void> {
    this.#requireSameFile();
    if (this.#damage !== null) throw new StoreUnavailable(`the file is damaged (${this.#damage})`);
    await this.#health.requireWritable();
  }

  /** Runs `work` atomically and at once, before others use the database; durable when it returns. */
  transaction<T>(work: () => T): T {
    this.#begin(true);
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** For the group commit: outlives the process when it resolves, and a power failure after `sync`. */
  async transact<T>(work: () => Promise<T>): Promise<T> {
    this.#begin(false);
    this.#isOpen = true;
    try {
      const result = await work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }

  /**
   * For the group commit: what SQLite would do at the end of a commit with FULL, on another thread. The event loop would
   * stand still for some milliseconds.
   */
  async sync(): Promise<void> {
    const rows = this.#mark && this.addedRows();
    try {
      this.#log ??= open(`${this.#file}-wal`, 'r');
      await (await this.#log).datasync();
      this.#mark?.follow(rows ?? 0);
    } catch (error) {
      throw Object.assign(error as Error, { code: 'SQLITE_IOERR_FSYNC' });
    }
  }

  #begin(synced: boolean): void {
    this.#requireSameFile();
    this.#setSynchronous(synced);
    this.run('BEGIN IMMEDIATE');
  }

  inTransaction(): boolean {
    return this.#db.inTransaction;
  }

  #rollBack(): void {
    // A full disk may have rolled it back already.
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
  }

  /** In WAL mode a commit with NORMAL is written to the log, and is on the disk when that is synchronised. */
  #setSynchronous(synced: boolean): void {
    if (synced === this.#synced) return;
    this.script(`PRAGMA synchronous = ${synced ? 'FULL' : 'NORMAL'}`);
    this.#synced = synced;
  }

  /**
   * Completes an erasure on disk: secure_delete overwrites deleted cells, then the log, which holds older copies of
   * the pages, is checkpointed and truncated. Retries while another program reads the file or the disk is full.
   *
   * @NOTE When SQLite merges half-empty pages it can leave a copy of a row in a page's unused space until that is
   * reused: of 2,800 faces erased with their galleries, 3 names and sealed templates were found (the templates
   * without their key). Only VACUUM, which rewrites the whole file, would rule that out.
   */
  purge(): void {
    if (this.#truncateLog() || this.#retry) return;
    this.#retry = setInterval(() => this.#truncateLog(), retryMs);
    this.#retry.unref();
  }

  /** Writes everything first. */
  async flushAndClose(): Promise<void> {
    this.#isClosing = true;
    await this.#group.flush();
    this.close();
  }

  /** At once. The driver closes the file only when its statements are garbage-collected. */
  close(): void {
    if (!this.#db.open) return;
    if (!this.#readOnly) this.#closeLog();
    clearInterval(this.#retry);
    this.#statements.clear();
    this.#db.close();
    this.#reader?.close();
    void this.#log?.then((log) => log.close()).catch(() => {});
  }

  /** On a full disk the mark stays, and the next opening compares. */
  #closeLog(): void {
    let isComplete = false;
    try {
      if (this.#mark) this.all('PRAGMA user_version = 0');
      isComplete = this.#truncateLog();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    this.#mark?.end(isComplete);
  }

  /** Does not wait for readers. @returns false when others read, a transaction is open or the disk is full */
  #truncateLog(): boolean {
    if (this.#isOpen) return false;
    this.all('PRAGMA busy_timeout = 0');
    try {
      const [result] = this.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
      if (result?.busy !== 0) return false;
    } catch (error) {
      // Durable in any case: the log holds it.
      if (isUnavailable(error)) return false;
      throw error;
    } finally {
      this.all(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
    clearInterval(this.#retry);
    this.#retry = undefined;
    return true;
  }

  /** The open file may have been removed or replaced; SQLite does not check that in WAL mode. */
  #requireSameFile(): void {
    if (inodeOf(this.#file) === this.#inode) return;
    throw new StoreUnavailable(
      'the file of the store was removed or replaced while the server runs; put the right file in place, then restart the server',
    );
  }

  #prepare(sql: string): Statement {
    if (!this.#db.open) throw new Error('the store is closed');
    let statement = this.#statements.get(sql);
    if (!statement) {
      // Lists of parameters have many lengths.
      if (this.#statements.size >= maxStatements) this.#statements.clear();
      // SQLite numbers ?1, ?2 … explicitly, $1 by its first occurrence.
      statement = new Statement(this.#db.prepare(sql.replaceAll(/\$(\d)/g, '?$1')));
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** A prepared statement. Its rows come as arrays: the driver takes twice as long to make objects. */
class Statement {
  readonly #statement: Database.Statement;
  #columns: readonly string[] = [];

  constructor(statement: Database.Statement) {
    this.#statement = statement.reader ? statement.raw() : statement;
  }

  run(values: SqlValue[]): { readonly changes: number } {
    return this.#statement.run(values);
  }

  get(values: SqlValue[]): object | undefined {
    const row = this.#statement.get(values) as unknown[] | undefined;
    return row && this.#named(row);
  }

  all(values: SqlValue[]): object[] {
    return (this.#statement.all(values) as unknown[][]).map((row) => this.#named(row));
  }

  #named(row: readonly unknown[]): object {
    // Unknown yet, or those of * have become more.
    if (row.length !== this.#columns.length)
      this.#columns = this.#statement.columns().map(({ name }) => name);
    const named: Record<string, unknown> = {};
    for (const [i, column] of this.#columns.entries()) named[column] = row[i];
    return named;
  }
}

/** Wait for another program that locks the file, milliseconds. */
const busyTimeoutMs = 3000;

const retryMs = 5000;

const maxStatements = 500;

/** Minimum time between two attempts to fill the reserve, milliseconds. */
const fillRetryMs = 1000;

/** Free pages of 4 KiB that let writes go on while the disk is full: more than a write takes. */
const minFreePages = 64;

const settings = [
  `busy_timeout = ${busyTimeoutMs}`,
  'journal_mode = WAL',
  // With NORMAL, a commit in WAL mode survives a crash of the process but not a power failure.
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
];

/** The driver truncates text at U+0000 when it reads it. */
function requireStorable(values: SqlValue[]): SqlValue[] {
  for (const value of values) {
    if (typeof value === 'string' && value.includes('\0')) throw new Error('text with U+0000 is not stored');
  }
  return values;
}

function inodeOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : 'none';
}

/** Bytes: room for the log of many erasures, each of which is checkpointed at once. */
const reserveBytes = 4 * 2 ** 20;

/** A file that keeps disk space free for erasures: on a full disk even a deletion needs room in the log. */
class DiskReserve {
  readonly #file: string;

  /** @param database whose directory the file is in */
  constructor(database: string) {
    this.#file = `${database}-reserve`;
  }

  /** Writes the file unless it is complete. @returns false when the disk has no room for it */
  fill(): boolean {
    if (statSync(this.#file, { throwIfNoEntry: false })?.size === reserveBytes) return true;
    try {
      const descriptor = openSync(this.#file, 'w', 0o600);
      try {
        // Written, not only extended: a sparse file takes no space.
        if (writeSync(descriptor, Buffer.alloc(reserveBytes)) !== reserveBytes)
          throw new Error('short write');
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      return true;
    } catch {
      this.release();
      return false;
    }
  }

  /** Gives the space back to the disk. */
  release(): void {
    rmSync(this.#file, { force: true });
  }
}

const fullCode = 'SQLITE_FULL';

/** Codes of failures of the disk or the file, not of a statement. Extended codes begin with these. */
const unavailable: readonly (readonly [code: string, message: string])[] = [
  [fullCode, 'the disk of the store is full'],
  ['SQLITE_IOERR', 'the disk of the store fails'],
  ['SQLITE_READONLY', 'the store cannot be written'],
  ['SQLITE_BUSY', 'another program holds the store'],
];

/** Maps an error of the driver to the store's own. */
function toStoreError(error: unknown): unknown {
  const found = unavailability(error);
  if (!found) return error;
  const [code, message] = found;
  const kind = code === fullCode || code === 'SQLITE_READONLY' ? StoreReadOnly : StoreUnavailable;
  return new kind(message, { cause: error });
}

function isFull(error: unknown): boolean {
  return unavailability(error)?.[0] === fullCode;
}

function isUnavailable(error: unknown): boolean {
  return unavailability(error) !== undefined;
}

function unavailability(error: unknown) {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? unavailable.find(([prefix]) => code.startsWith(prefix)) : undefined;
}
