import type { DatabaseTarget } from '../../config/database-url.ts';
import { countCrops } from '../sql/faces.ts';
import type { SqlValue } from './connection/database.ts';
import { PostgresDatabase } from './connection/database.ts';
import { toStoreError } from './connection/failures.ts';
import { migrations, schemaNumber } from './migrate.ts';

/** State of a PostgreSQL database, for `wajah doctor`. */
export interface PostgresFacts {
  /** Version of the server, such as "15.18 (Debian …)". */
  readonly version: string;
  /** `server_version_num`: 150018 is 15.18. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** In recovery: follows a primary and accepts no writes. */
  readonly standby: boolean;
  readonly encrypted: boolean;
  readonly schema: number;
  readonly newestSchema: number;
  /** Whether the user may create tables. */
  readonly mayCreate: boolean;
  /** Tables that the user may not read and write. */
  readonly inaccessibleTables: readonly string[];
  /** Values of fsync, full_page_writes, synchronous_commit and autovacuum. */
  readonly settings: Readonly<Record<string, string>>;
  readonly maxConnections: number;
  /** Clock of the database minus that of this machine, milliseconds; the error is at most half the round trip. */
  readonly clockMs: number;
  readonly roundTripMs: number;
  /** Digest of the master key (see `keyDigest`); null: none stored. */
  readonly keyCheck: string | null;
  /** Number of stored face crops; null when the user may not read them. */
  readonly crops: number | null;
}

/**
 * Reads the state of a database without changing it.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function inspectPostgres(target: DatabaseTarget, timeoutMs: number): Promise<PostgresFacts> {
  const db = new PostgresDatabase(target, { connections: 1, timeoutMs, readOnly: true });
  try {
    const schema = await schemaNumber(db);
    const [server] = await db.all<ServerRow>(serverQuery);
    const settings = await db.all<{ name: string; setting: string }>(settingsQuery, inspectedSettings);
    return {
      ...server!,
      settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
      schema,
      newestSchema: migrations.length,
      inaccessibleTables: (await db.all<{ name: string }>(inaccessibleQuery)).map(({ name }) => name),
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
const inspectedSettings: SqlValue = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'];

const inaccessibleQuery = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition
    AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))`;

async function keyCheck(db: PostgresDatabase): Promise<string | null> {
  const row = await db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'master_key_check'");
  return row?.value ?? null;
}

/** Schema version that added the table of crops. */
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
