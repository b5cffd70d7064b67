import { chmodSync, existsSync, statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { readContents, type StoreFacts } from './contents.ts';
import { checkedAtOnce, checkFile, type FileCheck, findDamage } from './database/integrity.ts';
import { openingFault, requireIntact } from './database/opening-fault.ts';
import { newestSchema, oldestSchema } from './database/schema.ts';
import type { Database } from './database/session.ts';
import { SqliteDatabase } from './database/sqlite.ts';
import {
  foreignTables,
  migrate,
  migratedBy,
  planSqliteMigration,
  schemaNumber,
} from './database/sqlite-migrations.ts';
import type { MigrationPlan } from './database/upgrade.ts';
import { openingOf, requireNoLoss } from './lost-data.ts';
import { memoryLimits } from './memory-limits.ts';
import type { Store } from './ports/store.ts';
import { damageStore } from './row-damage.ts';
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
 * @throws OperatorError when the file is damaged, of another program, or newer than this program, or as `requireNoLoss`
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
    damage: damageStore(db.shared, db.damagedRows),
    part: (_, make) => make(db.shared),
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
  requireNoLoss(file);
  try {
    const isLarge = sizeOf(file) > checked;
    // Also a copy that was put in place by hand; the log takes its mode from it when it is opened.
    if (existsSync(file)) chmodSync(file, 0o600);
    const former = openingOf(file);
    const db = new SqliteDatabase(file, maxGroup);
    if (!isLarge) requireIntact(db);
    db.reserveSpace();
    migrate(db);
    eraseLeftovers(db);
    db.markOpening(former);
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
      contents: schema >= oldestSchema ? await readContents(db.shared, schema) : null,
    };
  });
}

/** Reads a database, which a server may have open. @throws OperatorError as `inspectSqlite` */
export const readSqlite = <T>(file: string, read: (db: Database, schema: number) => Promise<T>): Promise<T> =>
  reading(file, (db) => read(db.shared, schemaNumber(db)));

/** What the next start would do; a server may have the file open. @throws OperatorError as `inspectSqlite` */
export const planUpgradeOf = (file: string): Promise<MigrationPlan> =>
  existsSync(file) ? reading(file, planSqliteMigration) : planSqliteMigration(null);

async function reading<T>(file: string, read: (db: SqliteDatabase) => Promise<T>): Promise<T> {
  let db: SqliteDatabase | undefined;
  try {
    db = new SqliteDatabase(file, undefined, 'read');
    return await read(db);
  } catch (error) {
    // What the reader refuses need not be of the database.
    throw error instanceof OperatorError ? error : openingFault(file, error);
  } finally {
    db?.close();
  }
}
