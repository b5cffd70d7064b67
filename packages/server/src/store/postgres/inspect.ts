import type { DatabaseTarget } from '../../config/database-url.ts';
import { readContents, type StoreContents } from '../contents.ts';
import { newestSchema, specColumn } from '../schema.ts';
import { type PgValue, PostgresDatabase } from './connection/database.ts';
import { migratedBy, schemaNumber } from './migrate.ts';
import { startError } from './open.ts';

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
  /** Version of the program that last migrated it; null: not recorded. */
  readonly migratedBy: string | null;
  /** Null: there are no tables yet, or the user may not read them. */
  readonly contents: StoreContents | null;
}

/**
 * Reads the state of a database without changing it.
 * @throws OperatorError when it cannot be used: address, password, rights
 */
export async function inspectPostgres(target: DatabaseTarget, timeoutMs: number): Promise<PostgresFacts> {
  const db = new PostgresDatabase(target, { connections: 1, timeoutMs, readOnly: true });
  try {
    const schema = await schemaNumber(db);
    const [server] = await db.all<ServerRow>(serverQuery);
    const settings = await db.all<{ name: string; setting: string }>(settingsQuery, inspectedSettings);
    const inaccessibleTables = (await db.all<{ name: string }>(inaccessibleQuery)).map(({ name }) => name);
    const readable = schema > 0 && inaccessibleTables.length === 0;
    return {
      ...server!,
      settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
      schema,
      newestSchema: newestSchema('postgres'),
      inaccessibleTables,
      migratedBy: readable ? await migratedBy(db) : null,
      contents: readable ? await readContents(db, specColumn('postgres', schema)) : null,
      ...(await clock(db)),
    };
  } catch (error) {
    throw startError(error);
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
const inspectedSettings: PgValue = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'];

const inaccessibleQuery = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition
    AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))`;

async function clock(db: PostgresDatabase): Promise<{ clockMs: number; roundTripMs: number }> {
  const before = Date.now();
  const started = performance.now();
  const row = await db.get<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  const roundTripMs = performance.now() - started;
  return { clockMs: Math.round((row?.now ?? 0) - before - roundTripMs / 2), roundTripMs };
}
