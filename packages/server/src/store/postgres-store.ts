import { type DatabaseTarget, parseDatabaseUrl } from '../config/database-url.ts';
import { OperatorError, StoreUnavailable } from '../errors.ts';
import type { PeriodicLog } from '../lib/periodic.ts';
import { dayMs } from '../lib/time.ts';
import { readContents, type StoreFacts } from './contents.ts';
import { codeOf, noPassword, noTls, type PgValue, PostgresDatabase } from './database/postgres.ts';
import { foreignTables, migrate, migratedBy, schemaNumber } from './database/postgres-migrations.ts';
import { newestSchema, oldestSchema } from './database/schema.ts';
import type { Database, PostgresOptions } from './database/session.ts';
import { readOnlyError } from './database/write-health-check.ts';
import { eraseDetached } from './erase.ts';
import type { LimitStore } from './ports/limits.ts';
import type { Store, StoreInfo } from './ports/store.ts';
import { forgetLeases, type ProcessLease, requireNoLease, takeLease } from './process-lease.ts';
import { damageStore } from './row-damage.ts';
import { createTableStores, tablesInside } from './store.ts';

/** A store that several processes share. */
export interface SharedStore extends Store {
  /** See `takeLease`. */
  takeLease(keyCheck: string, log: PeriodicLog): Promise<ProcessLease>;
}

/**
 * Opens the store that several servers share; creates or migrates its tables.
 * @throws OperatorError when the database cannot be used: address, password, encoding, rights, version
 * @example const store = await openPostgresStore({ url: 'postgres://wajah:secret@db.internal/wajah' });
 */
export async function openPostgresStore(options: PostgresOptions): Promise<SharedStore> {
  const db = await openPostgresDatabase(options);
  return {
    ...createTableStores(db),
    damage: damageStore(db, db.damagedRows),
    part: (_, make) => make(db),
    limits: postgresLimits(db),
    info: () => infoOf(db),
    ping: () => ping(db),
    takeLease: (keyCheck, log) => takeLease(db, keyCheck, log),
    alone: (work) =>
      db.transaction(
        async (session) => {
          await requireNoLease(session);
          await forgetLeases(session);
          return work(tablesInside(session));
        },
        { timeoutMs: dayMs },
      ),
    close: () => db.close(),
  };
}

async function ping(db: PostgresDatabase): Promise<void> {
  const setting =
    "SELECT current_setting('transaction_read_only') AS only, (SELECT 1 FROM meta LIMIT 1) AS read";
  if ((await db.get<{ only: string }>(setting))?.only === 'on') throw readOnlyError();
  await db.requireWritable();
}

async function infoOf(db: PostgresDatabase): Promise<StoreInfo> {
  const row = await db.get<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  return {
    kind: 'postgres',
    bytes: row?.bytes ?? null,
    migration: newestSchema,
    connections: db.connections(),
  };
}

/** Opens the database and migrates its schema. @throws OperatorError as `openPostgresStore` */
export async function openPostgresDatabase(options: PostgresOptions): Promise<PostgresDatabase> {
  const db = openConnections(options);
  try {
    await requireUsable(db);
    await migrate(db);
    await eraseDetached(db);
    return db;
  } catch (error) {
    await db.close();
    throw startError(error);
  }
}

/** Connections, opened on demand, to a database of the newest schema. */
/** Timeout of a statement, and of the wait for a connection, milliseconds: half the deadline of a call. */
const statementMs = 5000;

export function openConnections({
  url,
  connections = 10,
  timeoutMs = statementMs,
}: PostgresOptions): PostgresDatabase {
  return new PostgresDatabase(parseDatabaseUrl('WAJAH_DATABASE_URL', url), { connections, timeoutMs });
}

/** PostgreSQL 14, as `server_version_num`. */
const oldestVersion = 140_000;

async function requireUsable(db: PostgresDatabase): Promise<void> {
  const found = await db.get<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  );
  if (Number(found?.version) < oldestVersion) {
    throw new OperatorError(
      `the server is PostgreSQL ${Math.floor(Number(found?.version) / 10_000)}; 14 or newer is needed`,
    );
  }
  if (found?.encoding !== 'UTF8') {
    throw new OperatorError(
      `the database has the encoding ${found?.encoding}; create it with ENCODING 'UTF8'`,
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the database running, and are host and port right?',
  ENOENT: 'the socket does not exist; is the database running, and is the directory right?',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ETIMEDOUT: 'the host does not answer; is there a firewall in between?',
  EACCES: 'this user may not use the socket',
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect from here',
  '3D000': 'there is no such database',
  '42501': 'the user lacks a right; it must own the database or its schema',
  '55000':
    'the database takes no connections; its owner allows them by ALTER DATABASE … ALLOW_CONNECTIONS true',
  '53300': 'the database has too many connections already',
  [noTls]:
    'the server has no TLS, and sslmode of the URL asks for it; switch it on there (ssl = on), or leave sslmode out where nobody else reads the network between them',
  [noPassword]: 'the database asks for a password, and the URL has none',
};

/** Why a database cannot be used, as an OperatorError, or a defect as it is. */
function startError(error: unknown): unknown {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  if (cause instanceof OperatorError) return new OperatorError(`WAJAH_DATABASE_URL: ${cause.message}`);
  const code = codeOf(cause);
  const reason = reasons[code];
  if (reason === undefined && !(error instanceof StoreUnavailable)) return error;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`WAJAH_DATABASE_URL: ${reason ?? `the database cannot be used (${said})`}`, {
    cause,
  });
}

/** Number of increments after which expired counters are deleted. */
const sweepEvery = 1000;

/** Uses the clock of the database, so that clock skew between servers has no effect. */
function postgresLimits(db: PostgresDatabase): LimitStore {
  let counted = 0;
  return {
    increment: async (key, limit, windowMs) => {
      if (++counted % sweepEvery === 0) await db.run('DELETE FROM limits WHERE ends_at < now()');
      const row = await db.get<{ count: number; wait: number }>(
        `INSERT INTO limits AS l VALUES ($1, 1, now() + $3 * interval '1 ms')
         ON CONFLICT (key) DO UPDATE SET
           count = CASE WHEN l.ends_at <= now() THEN 1 ELSE least(l.count + 1, $2 + 1) END,
           ends_at = CASE WHEN l.ends_at <= now() THEN excluded.ends_at ELSE l.ends_at END
         RETURNING count, (extract(epoch FROM ends_at - now()) * 1000)::bigint AS wait`,
        key,
        limit,
        windowMs,
      );
      if (!row) throw new Error('the database returned no counter');
      return { count: row.count, waitMs: Math.max(0, row.wait) };
    },
    decrement: async (key, by) => {
      if (by === undefined) await db.run('DELETE FROM limits WHERE key = $1', key);
      else await db.run('UPDATE limits SET count = greatest(count - $2, 0) WHERE key = $1', key, by);
    },
  };
}

/** State of a PostgreSQL database. */
export interface PostgresFacts extends ServerRow, StoreFacts {
  /** Tables that the user may not read and write. */
  readonly inaccessibleTables: readonly string[];
  /** Values of fsync, full_page_writes, synchronous_commit and autovacuum. */
  readonly settings: Readonly<Record<string, string>>;
  /** Clock of the database minus that of this machine, milliseconds; the error is at most half the round trip. */
  readonly clockMs: number;
  readonly roundTripMs: number;
}

/**
 * Reads the state of a database without changing it.
 * @throws OperatorError when a server could not use it: address, password, encoding, version, a standby
 */
export function inspectPostgres(target: DatabaseTarget, timeoutMs: number): Promise<PostgresFacts> {
  return reading(target, timeoutMs, async (db) => {
    const schema = await schemaNumber(db);
    const [server] = await db.all<ServerRow>(serverQuery);
    const settings = await db.all<{ name: string; setting: string }>(settingsQuery, inspectedSettings);
    const inaccessibleTables = (await db.all<{ name: string }>(inaccessibleQuery)).map(({ name }) => name);
    const readable = schema >= oldestSchema && inaccessibleTables.length === 0;
    return {
      ...server!,
      settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
      schema,
      inaccessibleTables,
      foreign: schema === 0 ? await foreignTables(db) : null,
      migratedBy: readable ? await migratedBy(db) : null,
      contents: readable ? await readContents(db, schema) : null,
      ...(await clock(db)),
    };
  });
}

/** Reads a database. @throws OperatorError as `inspectPostgres` */
export const readPostgres = <T>(
  target: DatabaseTarget,
  timeoutMs: number,
  read: (db: Database, schema: number) => Promise<T>,
): Promise<T> => reading(target, timeoutMs, async (db) => read(db, await schemaNumber(db)));

async function reading<T>(
  target: DatabaseTarget,
  timeoutMs: number,
  read: (db: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const db = new PostgresDatabase(target, { connections: 1, timeoutMs });
  try {
    await requireUsable(db).catch((error: unknown) => {
      throw startError(error);
    });
    return await read(db);
  } catch (error) {
    // What the reader refuses need not be of the database.
    throw error instanceof OperatorError ? error : startError(error);
  } finally {
    await db.close();
  }
}

interface ServerRow {
  /** Version of the server, such as "15.18 (Debian …)". */
  readonly version: string;
  readonly encrypted: boolean;
  /** Whether the user may create tables. */
  readonly mayCreate: boolean;
  readonly maxConnections: number;
}

const serverQuery = `
  SELECT current_setting('server_version') AS version,
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

/** Of the shortest of five round trips: a single one may have waited for other programs of a machine. */
async function clock(db: PostgresDatabase): Promise<{ clockMs: number; roundTripMs: number }> {
  let shortest = { clockMs: 0, roundTripMs: Number.POSITIVE_INFINITY };
  for (let trip = 0; trip < 5; trip++) {
    const before = Date.now();
    const started = performance.now();
    const row = await db.get<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    const roundTripMs = performance.now() - started;
    const clockMs = Math.round((row?.now ?? 0) - before - roundTripMs / 2);
    if (roundTripMs < shortest.roundTripMs) shortest = { clockMs, roundTripMs };
  }
  return shortest;
}
