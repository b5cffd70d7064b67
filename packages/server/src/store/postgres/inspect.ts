import type { DatabaseTarget } from '../../config/database-url.ts';
import { countCrops } from '../sql/faces.ts';
import type { SqlValue } from './connection/database.ts';
import { PostgresDatabase } from './connection/database.ts';
import { toStoreError } from './connection/failures.ts';
import { migrations, schemaNumber } from './migrations/migrate.ts';

/** What is to be known of a PostgreSQL database before it is served from. */
export interface PostgresFacts {
  /** As the server names it, "15.18 (Debian …)" say. */
  readonly version: string;
  /** 150018 is 15.18. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** It follows another server and takes no writes. */
  readonly standby: boolean;
  readonly encrypted: boolean;
  readonly schema: number;
  readonly newestSchema: number;
  /** The user may make tables. */
  readonly mayCreate: boolean;
  /** Tables that the user may not read and write. */
  readonly closedTables: readonly string[];
  /** fsync, full_page_writes, synchronous_commit, autovacuum: each as it is set. */
  readonly settings: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  /** Database's clock minus ours, milliseconds, to half of the way there and back. */
  readonly clockMs: number;
  readonly roundTripMs: number;
  /** A value of the table meta; null where there is none. */
  readonly keyCheck: string | null;
  /** Face crops that are stored; null where the user may not look. */
  readonly crops: number | null;
}

/**
 * Looks at a database without changing it.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function inspectPostgres(target: DatabaseTarget, timeoutMs: number): Promise<PostgresFacts> {
  const db = new PostgresDatabase(target, { connections: 1, timeoutMs, readOnly: true });
  try {
    const schema = await schemaNumber(db);
    const [server] = await db.all<ServerRow>(serverQuery);
    const settings = await db.all<{ name: string; setting: string }>(settingsQuery, watched);
    return {
      ...server!,
      settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
      schema,
      newestSchema: migrations.length,
      closedTables: (await db.all<{ name: string }>(closedQuery)).map(({ name }) => name),
      keyCheck: schema > 0 ? await keyCheck(db) : null,
      crops: await countStored(db, schema),
      ...(await clock(db)),
    };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await db.close();
  }
}

interface ServerRow {
  readonly version: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly standby: boolean;
  readonly encrypted: boolean;
  readonly mayCreate: boolean;
  readonly maxConnections: number;
}

const serverQuery = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::bigint AS "versionNumber",
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS standby,
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
    current_setting('max_connections')::bigint AS "maxConnections"`;

const settingsQuery = 'SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[])';
const watched: SqlValue = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'];

const closedQuery = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition
    AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))`;

async function keyCheck(db: PostgresDatabase): Promise<string | null> {
  const row = await db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'master_key_check'");
  return row?.value ?? null;
}

/** Of the schema that made the table. */
const cropSchema = 3;

async function countStored(db: PostgresDatabase, schema: number): Promise<number | null> {
  if (schema < cropSchema) return 0;
  const row = await db.get<{ may: boolean }>("SELECT has_table_privilege('face_crops', 'SELECT') AS may");
  return row?.may ? countCrops(db) : null;
}

async function clock(db: PostgresDatabase): Promise<{ clockMs: number; roundTripMs: number }> {
  const before = Date.now();
  const started = performance.now();
  const row = await db.get<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  const roundTripMs = performance.now() - started;
  return { clockMs: Math.round((row?.now ?? 0) - before - roundTripMs / 2), roundTripMs };
}
