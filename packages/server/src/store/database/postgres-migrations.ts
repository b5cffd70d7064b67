import { type DatabaseTarget, parseDatabaseUrl } from '../../config/database-url.ts';
import { OperatorError } from '../../errors.ts';
import { version } from '../../version.ts';
import { PostgresDatabase, type PgSession as Session, toStoreError } from './postgres.ts';
import { type Migration, migrations, newestSchema, oldestSchema } from './schema.ts';
import type { PostgresOptions } from './session.ts';
import { localMetaKeys } from './tables.ts';
import { countedSchema, emptiedText, type MigrationPlan, planSteps, requireKnownSchema } from './upgrade.ts';

/** Advisory lock of migrations: one server migrates at a time. Random. */
const lockKey = 7_290_411_853;

/** Tables may be large, and other servers may be migrating. */
const migrationTimeoutMs = 10 * 60 * 1000;

/**
 * Brings the schema that comes first in the search path to the newest version, all steps in one transaction. Servers
 * that start at once wait for each other.
 * @throws OperatorError when the tables are another program's, or written by a newer version of this one
 */
export async function migrate(
  db: PostgresDatabase,
  steps: readonly Migration[] = migrations.postgres,
): Promise<void> {
  // First without a lock, so that a server without the right to alter tables can start.
  const newest = steps.at(-1)?.number ?? 0;
  if ((await schemaNumber(db)) === newest) return;
  await db.transaction(
    async (session) => {
      await session.run('SELECT pg_advisory_xact_lock($1)', lockKey);
      const from = await schemaNumber(session);
      if (from > 0) requireKnownSchema(from, await migratedBy(session));
      if (from === 0) await create(session);
      for (const step of steps.filter(({ number }) => number > from)) await apply(session, step);
    },
    { timeoutMs: migrationTimeoutMs },
  );
}

/** @returns 0 where there is none */
export async function schemaNumber(session: Session): Promise<number> {
  const found = await session.get<{ there: boolean }>(
    "SELECT to_regclass('wajah_migrations') IS NOT NULL AS there",
  );
  if (!found?.there) return 0;
  const done = await session.get<{ number: number }>(
    'SELECT coalesce(max(number), 0)::bigint AS number FROM wajah_migrations',
  );
  if (done?.number !== oldestSchema) return done?.number ?? 0;
  return countedSchema(done.number, await session.all(session.dialect.columns('liveness_sessions')));
}

/** @throws OperatorError when a newer version of this program has written the database, or one of before its first */
export async function requireKnown(session: Session): Promise<void> {
  requireKnownSchema(await schemaNumber(session), await migratedBy(session));
}

/** @returns the version of the program that last migrated the database; null: not recorded */
export async function migratedBy(session: Session): Promise<string | null> {
  const sql = 'SELECT value FROM meta WHERE key = $1';
  return (await session.get<{ value: string }>(sql, localMetaKeys.migratedBy))?.value ?? null;
}

/** Why the tables of a database without migrations are not ours to change; null: there are none. */
export async function foreignTables(session: Session): Promise<string | null> {
  const own = 'wajah_migrations';
  const found = await session.all<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  const others = found.filter(({ name }) => name !== own).length;
  if (others === 0) return null;
  return others < found.length
    ? emptiedText(own)
    : 'the database holds tables of another program in the schema that this user writes to; give Wajah a database of its own';
}

async function create(session: Session): Promise<void> {
  const foreign = await foreignTables(session);
  if (foreign !== null) throw new OperatorError(foreign);
  await session.run(
    'CREATE TABLE IF NOT EXISTS wajah_migrations (number bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)',
  );
}

async function apply(session: Session, step: Migration): Promise<void> {
  // Without parameters, so that it may hold several statements.
  await session.script(step.sql);
  await session.run('INSERT INTO wajah_migrations VALUES ($1, $2, $3)', step.number, step.name, Date.now());
  // For the message of a program that does not know this schema.
  const put = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  await session.run(put, localMetaKeys.migratedBy, version);
}

/**
 * Reads which migrations the next start would run on a database. Rows are the planner's estimates: counting would read
 * whole tables.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function planPostgresMigration({ url, timeoutMs }: PostgresOptions): Promise<MigrationPlan> {
  const target: DatabaseTarget = parseDatabaseUrl('WAJAH_DATABASE_URL', url);
  const db = new PostgresDatabase(target, { connections: 1, timeoutMs: timeoutMs ?? 10_000, readOnly: true });
  try {
    const schema = await schemaNumber(db);
    const steps = await planSteps(schema, migrations.postgres, (table) => estimateRows(db, table));
    const by = schema > 0 ? await migratedBy(db) : null;
    return { store: 'postgres', schema, newestSchema, migratedBy: by, ...steps };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await db.close();
  }
}

/** Of a table that was never analysed, the rows are counted: it is new or small. */
async function estimateRows(db: Session, table: string): Promise<number | null> {
  const found = await db.get<{ rows: number }>(
    `SELECT sum(greatest(reltuples, -1))::bigint AS rows FROM pg_class
      WHERE relkind = 'r' AND (oid = to_regclass($1)
        OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1))) HAVING count(*) > 0`,
    table,
  );
  if (!found) return null;
  if (found.rows > 0) return found.rows;
  return (await db.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`))?.rows ?? 0;
}
