import { chmodSync, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { OperatorError } from '../errors.ts';
import { type EnrolledSpec, readContents, readEnrolledSpecs, type StoreFacts } from './contents.ts';
import { checkedAtOnce, checkFile, type FileCheck, findDamage } from './database/integrity.ts';
import { newestSchema, oldestSchema } from './database/schema.ts';
import { SqliteDatabase } from './database/sqlite.ts';
import {
  foreignTables,
  migrate,
  migratedBy,
  planSqliteMigration,
  schemaNumber,
} from './database/sqlite-migrations.ts';
import type { MigrationPlan } from './database/upgrade.ts';
import { memoryLimits } from './memory-limits.ts';
import type { Store } from './ports.ts';
import { createTableStores, tablesInside } from './store.ts';

/** The store of a data directory. */
export interface EmbeddedStore extends Store {
  /**
   * Checks a file that was too large to be checked when it was opened. A damaged one no longer answers `ping`.
   * @param report gets the first fault
   */
  checkFile(report: (damage: string) => void): FileCheck;
}

/**
 * Opens the embedded store; creates the file (mode 0600) if it does not exist. Requires the lock of the data directory:
 * one process, one connection.
 * @param options.maxGroup maximum number of writes in one commit
 * @param options.checked files of so many bytes are checked before they are opened; see `checkFile`
 * @throws OperatorError when the file is damaged, of another program, or newer than this program
 * @example const store = openSqliteStore(join(config.dataDir, 'wajah.db'));
 */
export function openSqliteStore(
  file: string,
  { maxGroup, checked = checkedAtOnce }: { readonly maxGroup?: number; readonly checked?: number } = {},
): EmbeddedStore {
  const isLarge = sizeOf(file) > checked;
  const db = openSqliteDatabase(file, { maxGroup, checked });
  return {
    ...createTableStores(db.shared),
    // One process owns the data directory, so its counters are the only ones.
    limits: memoryLimits(),
    info: async () => ({
      kind: 'sqlite',
      bytes: sizeOf(file),
      migration: newestSchema,
      connections: null,
    }),
    async ping() {
      db.get('SELECT 1 FROM meta LIMIT 1');
      await db.requireWritable();
    },
    async alone(work) {
      // The lock of the data directory keeps others out.
      const result = await db.shared.transaction((session) => work(tablesInside(session)));
      db.purge();
      return result;
    },
    checkFile: (report) => (isLarge ? checkInBackground(db, file, report) : noCheck),
    close: () => db.flushAndClose(),
  };
}

const noCheck: FileCheck = { damage: Promise.resolve(null), stop: () => {} };

function checkInBackground(db: SqliteDatabase, file: string, report: (damage: string) => void): FileCheck {
  const { damage, stop } = checkFile(file);
  const reported = damage.then((found) => {
    if (found === null) return null;
    db.reportDamage(found);
    report(found);
    return found;
  });
  return { damage: reported, stop };
}

/** Bytes of the database and its write-ahead log. */
function sizeOf(file: string): number {
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Opens the database, checks it and migrates its schema. @throws OperatorError as `openSqliteStore` */
export function openSqliteDatabase(
  file: string,
  { maxGroup, checked = Number.POSITIVE_INFINITY }: { maxGroup?: number | undefined; checked?: number } = {},
): SqliteDatabase {
  try {
    const isLarge = sizeOf(file) > checked;
    // Also a copy that was put in place by hand; the log takes its mode from it when it is opened.
    if (existsSync(file)) chmodSync(file, 0o600);
    const db = new SqliteDatabase(file, maxGroup);
    if (!isLarge) requireIntact(db);
    db.reserveSpace();
    migrate(db);
    eraseLeftovers(db);
    return db;
  } catch (error) {
    throw openingFault(file, error);
  }
}

/** Completes the erasures of a process that ended: the rows of a gallery go with it. */
function eraseLeftovers(db: SqliteDatabase): void {
  const next = 'SELECT id FROM galleries WHERE client_id IS NULL LIMIT 1';
  let any = false;
  for (let left = db.get<{ id: number }>(next); left; left = db.get(next)) {
    const { id } = left;
    db.transaction(() => db.run('DELETE FROM galleries WHERE id = $1', id));
    any = true;
  }
  if (any) db.purge();
}

/** Why a database cannot be used, and what to do. */
export function openingFault(file: string, error: unknown): OperatorError {
  return new OperatorError(`${basename(file)} of the data directory: ${reasonOf(error)}`, { cause: error });
}

function requireIntact(db: SqliteDatabase): void {
  const damage = findDamage(db);
  if (damage !== null) throw new OperatorError(`the file is damaged (${damage}); ${restore}`);
}

const restore =
  'restore it from a backup, without the -wal and -shm files of the former one, or move it away to start empty';

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'SQLITE_NOTADB') return `the file is not a database, or its header is damaged; ${restore}`;
  if (typeof code === 'string' && code.startsWith('SQLITE_CORRUPT')) return `the file is damaged; ${restore}`;
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE' || code === 'ENOSPC')
    return 'the disk is full: make room';
  // The driver says it by the number alone.
  if (code === 'SQLITE_CANTOPEN' || /: 14"\)$/.test(String(message)))
    return 'it cannot be opened: this user may not, or the file system is mounted read-only; run as its owner, or name a copy of the data directory (cp -a)';
  if (code === 'SQLITE_BUSY') return 'another program holds the file; stop it';
  return `it cannot be opened (${typeof code === 'string' && code !== '' ? code : String(message)})`;
}

/** State of an embedded database; a server may have it open. */
interface SqliteFacts extends StoreFacts {
  /** The first fault of the file, and what to do; null: it is sound. */
  readonly damage: string | null;
}

/** Reads the state of a database. @throws OperatorError when the file is no database, or another program holds it */
export function inspectSqlite(file: string): Promise<SqliteFacts> {
  return reading(file, async (db) => {
    const schema = schemaNumber(db);
    return {
      damage: findDamage(db),
      schema,
      migratedBy: migratedBy(db),
      foreign: foreignTables(db),
      contents: schema >= oldestSchema ? await readContents(db.shared) : null,
    };
  });
}

/** What people are enrolled with. @throws OperatorError as `inspectSqlite` */
export function enrolledInSqlite(file: string): Promise<EnrolledSpec[]> {
  return reading(file, async (db) => (schemaNumber(db) >= oldestSchema ? readEnrolledSpecs(db.shared) : []));
}

/** What the next start would do; a server may have the file open. @throws OperatorError as `inspectSqlite` */
export const planUpgradeOf = (file: string): Promise<MigrationPlan> =>
  existsSync(file) ? reading(file, planSqliteMigration) : planSqliteMigration(null);

async function reading<T>(file: string, read: (db: SqliteDatabase) => Promise<T>): Promise<T> {
  let db: SqliteDatabase | undefined;
  try {
    db = new SqliteDatabase(file, undefined, true);
    return await read(db);
  } catch (error) {
    throw openingFault(file, error);
  } finally {
    db?.close();
  }
}
