import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { OperatorError, syncPath } from '@wajah/server/commands';
import {
  createAuditStore,
  createMetaStore,
  findDamage,
  migrations,
  newestSchema,
  oldestSchema,
  openConnections,
  openingFault,
  type PgSession,
  type PostgresDatabase,
  type PostgresOptions,
  postgresMigrations as postgres,
  requireKnownSchema,
  requireNoLease,
  type Session,
  SqliteDatabase,
  sqliteMigrations as sqlite,
  tables,
} from '@wajah/server/stores';
import { loadBackup, type RestoredContent, type Restoring } from './backup-lines.ts';

/** Of a statement that reads or writes whole tables, milliseconds. */
const copyTimeoutMs = 10 * 60 * 1000;

/** Reads a database in one moment. */
export type SnapshotWork<T> = (snapshot: Session, schema: number) => Promise<T>;

/**
 * Reads the embedded database in one read transaction on a connection of its own: what others write meanwhile is not
 * seen, and they do not wait.
 * @throws OperatorError when there is no database, or a newer version has written it
 */
export async function withSqliteSnapshot<T>(file: string, work: SnapshotWork<T>): Promise<T> {
  if (!existsSync(file)) throw new OperatorError(`${file} does not exist: there is no store to read`);
  const db = openSnapshot(file);
  try {
    return await work(db.shared, sqlite.schemaNumber(db));
  } finally {
    db.close();
  }
}

function openSnapshot(file: string): SqliteDatabase {
  let db: SqliteDatabase | undefined;
  try {
    db = new SqliteDatabase(file, undefined, 'read');
    db.script('BEGIN');
    // A newer version may have tables that this one does not know.
    sqlite.requireKnown(db);
    return db;
  } catch (error) {
    db?.close();
    throw openingFault(file, error);
  }
}

/** Reads a PostgreSQL database in one transaction at REPEATABLE READ: all rows are of one moment. */
export async function withPostgresSnapshot<T>(options: PostgresOptions, work: SnapshotWork<T>): Promise<T> {
  const db = openConnections({ ...options, connections: 1 });
  let begun = false;
  try {
    return await db.transaction(
      async (session) => {
        // The file is written meanwhile: a second attempt would write it twice.
        if (begun) throw new OperatorError('the connection to the database broke; run the command again');
        begun = true;
        await session.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
        const schema = await postgres.schemaNumber(session);
        if (schema === 0) throw new OperatorError('the database is empty: there is no store to read');
        await postgres.requireKnown(session);
        return work(session, schema);
      },
      { timeoutMs: copyTimeoutMs },
    );
  } finally {
    await db.close();
  }
}

/**
 * Restores into a PostgreSQL database, in one transaction: it holds the backup as a whole, or what it held before.
 * @throws OperatorError when servers are connected, when it holds clients and `force` is not set, or when its schema is
 *   newer than that of the backup
 */
export async function restorePostgres(
  options: PostgresOptions,
  restoring: Restoring,
): Promise<RestoredContent> {
  const db = openConnections({ ...options, connections: 1 });
  try {
    await prepareSchema(db, restoring.schema);
    const content = await db.transaction(
      async (session) => {
        await requireNoLease(session);
        await empty(session, restoring.force);
        return loadBackup(session, restoring);
      },
      { timeoutMs: copyTimeoutMs },
    );
    await postgres.migrate(db);
    await restoring.record({ meta: createMetaStore(db), audit: createAuditStore(db) });
    return content;
  } finally {
    await db.close();
  }
}

/** The first schemas that backups were written with; both databases counted otherwise. */
const firstSchema = 24;

/** The schema of the tables that a backup is read into. @throws OperatorError when it is newer, or too old */
function restoredSchema(schema: number): number {
  if (schema > newestSchema || schema < firstSchema) requireKnownSchema(schema, null);
  return Math.max(schema, oldestSchema);
}

/** Creates the schema that the backup was written with, in an empty database. */
async function prepareSchema(db: PostgresDatabase, given: number): Promise<void> {
  const schema = restoredSchema(given);
  const found = await postgres.schemaNumber(db);
  if (found > schema) {
    throw new OperatorError(
      `the database has schema ${found}, the backup has ${schema}: restore it into a new, empty database`,
    );
  }
  await postgres.migrate(
    db,
    migrations.postgres.filter(({ number }) => number <= schema),
  );
}

async function empty(session: PgSession, force: Restoring['force']): Promise<void> {
  const row = await session.get<{ count: number }>('SELECT count(*) AS count FROM clients');
  const count = row?.count ?? 0;
  if (count > 0 && !force) {
    throw new OperatorError(
      `the database holds ${clientsText(count)}; ${force === null ? emptyStore : 'add --force to replace everything in it'}`,
    );
  }
  const found = await session.all<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  const present = new Set(found.map(({ name }) => name));
  await session.script(
    `TRUNCATE ${tables.flatMap(({ name }) => (present.has(name) ? name : [])).join(', ')} RESTART IDENTITY CASCADE`,
  );
}

const clientsText = (count: number) => `${count} ${count === 1 ? 'client' : 'clients'}`;
const emptyStore = 'name an empty store';

/**
 * Restores into a new file, which takes the place of the database when it is complete, checked and on disk. Requires the
 * lock of the data directory.
 * @param file the database; the former one, where it is replaced, stays beside it
 * @returns also the name of the former one
 * @throws OperatorError when the database holds clients and `force` is not set
 */
export async function restoreSqlite(
  file: string,
  restoring: Restoring,
): Promise<RestoredContent & { readonly former: string | null }> {
  const { schema } = restoring;
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const isUsed = size > 0 && requireReplaceable(file, restoring.force);
  const draft = `${file}.restoring`;
  removeDatabase(draft);
  const db = new SqliteDatabase(draft);
  try {
    const first = restoredSchema(schema);
    sqlite.migrate(
      db,
      migrations.sqlite.filter(({ number }) => number <= first),
    );
    removeFirstRows(db);
    const content = await loadBackup(db.shared, restoring);
    sqlite.migrate(db);
    await restoring.record({ meta: createMetaStore(db.shared), audit: createAuditStore(db.shared) });
    const damage = findDamage(db);
    if (damage !== null) throw new OperatorError(`the restored file is damaged (${damage})`);
    await db.flushAndClose();
    return { ...content, former: replace(draft, file, isUsed) };
  } catch (error) {
    db.close();
    removeDatabase(draft);
    throw error;
  }
}

/** Rows that the schema begins with. */
function removeFirstRows(db: SqliteDatabase): void {
  const found = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const present = new Set(found.map(({ name }) => name));
  for (const { name } of tables) if (present.has(name)) db.run(`DELETE FROM ${name}`);
}

/** Also writes the log of the former database into its file. @returns whether it holds clients */
function requireReplaceable(file: string, force: Restoring['force']): boolean {
  const db = new SqliteDatabase(file);
  try {
    const there = db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'clients'");
    const clients = there
      ? (db.get<{ count: number }>('SELECT count(*) AS count FROM clients')?.count ?? 0)
      : 0;
    if (clients === 0 || force) return clients > 0;
    throw new OperatorError(
      `${file} holds ${clientsText(clients)}; ${force === null ? emptyStore : 'add --force to replace it (the former file is kept)'}`,
    );
  } finally {
    db.close();
  }
}

/** The name of the database is never without a file. */
function replace(draft: string, file: string, keep: boolean): string | null {
  syncPath(draft);
  const former = keep ? `${file}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  if (former !== null) linkSync(file, former);
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(draft, file);
  for (const end of ['-wal', '-shm']) rmSync(draft + end, { force: true });
  rmSync(`${file}-mark`, { force: true });
  syncPath(file.slice(0, file.lastIndexOf('/') + 1) || '.');
  return former;
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}
