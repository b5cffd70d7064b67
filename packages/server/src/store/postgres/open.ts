import { parseDatabaseUrl } from '../../config/database-url.ts';
import { OperatorError, StoreUnavailable } from '../../errors.ts';
import { eraseDetached } from '../erase.ts';
import type { LimitStore } from '../memory-limits.ts';
import { createMetaStore } from '../meta-store.ts';
import type { PostgresOptions } from '../options.ts';
import { newestSchema } from '../schema.ts';
import { createTableStores, type Store, type StoreInfo } from '../store.ts';
import { localMetaKeys, requireCompleteCopy } from '../tables.ts';
import { readOnlyError } from '../write-health-check.ts';
import { PostgresDatabase } from './connection/database.ts';
import { codeOf } from './connection/failures.ts';
import { migrate } from './migrate.ts';

/**
 * Opens the store that several servers share; creates or migrates its tables.
 * @throws OperatorError when the database cannot be used: address, password, encoding, rights, version
 * @example const store = await openPostgresStore({ url: 'postgres://wajah:secret@db.internal/wajah' });
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const db = await openPostgresDatabase(options);
  try {
    requireCompleteCopy(await createMetaStore(db).get(localMetaKeys.copying));
  } catch (error) {
    await db.close();
    throw startError(error);
  }
  const replica = openReplica(options);
  return {
    ...createTableStores(db, replica),
    readerOptions: { kind: 'postgres', options },
    limits: postgresLimits(db),
    info: () => infoOf(db),
    ping: () => ping(db),
    close: async () => void (await Promise.all([db.close(), replica?.close()])),
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
    migration: newestSchema('postgres'),
    connections: db.connections(),
  };
}

/** Opens the database and migrates its schema. @throws OperatorError as `openPostgresStore` */
export async function openPostgresDatabase(options: PostgresOptions): Promise<PostgresDatabase> {
  const db = openPrimary(options);
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
export function openConnections(options: PostgresOptions) {
  return { db: openPrimary(options), replica: openReplica(options) };
}

function openPrimary({ url, connections = 10, timeoutMs = 10_000 }: PostgresOptions): PostgresDatabase {
  return new PostgresDatabase(parseDatabaseUrl('WAJAH_DATABASE_URL', url), { connections, timeoutMs });
}

function openReplica({ readUrl, connections = 10, timeoutMs = 10_000 }: PostgresOptions) {
  if (!readUrl) return null;
  const target = parseDatabaseUrl('WAJAH_DATABASE_READ_URL', readUrl);
  return new PostgresDatabase(target, { connections, timeoutMs, readOnly: true });
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
  '53300': 'the database has too many connections already',
};

/** The driver has no code for it. */
function missingPassword(cause: unknown): string | undefined {
  const isMissing = cause instanceof Error && /password must be a (non-empty )?string/.test(cause.message);
  return isMissing ? 'the database asks for a password, and the URL has none' : undefined;
}

/** Why a database cannot be used, as an OperatorError, or a defect as it is. */
export function startError(error: unknown): unknown {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  if (cause instanceof OperatorError) return new OperatorError(`WAJAH_DATABASE_URL: ${cause.message}`);
  const code = codeOf(cause);
  const reason = reasons[code] ?? missingPassword(cause);
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
