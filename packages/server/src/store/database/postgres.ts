import {
  Client,
  type ClientConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  TypeOverrides,
} from 'pg';
import type { DatabaseTarget } from '../../config/database-url.ts';
import { StoreReadOnly, StoreUnavailable } from '../../errors.ts';
import { createDamagedRows } from './damaged-rows.ts';
import {
  type Database,
  type PoolUse,
  postgres,
  type Session,
  type SqlValue,
  type TransactionOptions,
} from './session.ts';
import { WriteHealthCheck } from './write-health-check.ts';

/** Arrays are for statements that are PostgreSQL's own. */
export type PgValue = SqlValue | readonly SqlValue[];

/** A session with what only PostgreSQL has. */
export interface PgSession extends Session {
  all<Row>(sql: string, ...values: PgValue[]): Promise<Row[]>;
  get<Row>(sql: string, ...values: PgValue[]): Promise<Row | undefined>;
  run(sql: string, ...values: PgValue[]): Promise<number>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

interface DatabaseOptions {
  /** Maximum number of connections. */
  readonly connections: number;
  /** Timeout of a statement and of the wait for a connection, milliseconds. */
  readonly timeoutMs: number;
  /** Accepts a standby; otherwise standbys are skipped. */
  readonly readOnly?: boolean;
}

const idleMs = 30_000;
/** Connections are replaced after this time, so that a changed DNS record or certificate takes effect. Seconds. */
const lifetimeSeconds = 3600;
const maxAttempts = 10;
/** The driver's timeout, for a network that drops packets, exceeds the server's by this. */
const graceMs = 1000;
/** OID of the SQL type int8, which is parsed as a number: all values here are safe integers. */
const int8 = 20;

/**
 * Pool of connections to PostgreSQL. Works behind a pooler in transaction mode: nothing outlives a transaction on the
 * server (no named statement, session setting or session lock).
 *
 * Errors of an unreachable database are thrown as StoreUnavailable; when a connection broke during a commit it is
 * unknown whether that transaction was committed.
 */
export class PostgresDatabase implements Database, PgSession {
  readonly dialect = postgres;
  readonly damagedRows = createDamagedRows();
  readonly damaged = this.damagedRows.add;
  readonly #pool: Pool;
  readonly #hosts: Hosts;
  readonly #timeoutMs: number;
  readonly #most: number;
  readonly #health = new WriteHealthCheck(() => this);
  #closed = false;
  #lease: (() => Promise<void>) | null = null;

  constructor(target: DatabaseTarget, { connections, timeoutMs, readOnly = false }: DatabaseOptions) {
    this.#hosts = new Hosts(target.hosts);
    this.#timeoutMs = timeoutMs;
    this.#most = connections;
    const types = new TypeOverrides();
    types.setTypeParser(int8, Number);
    this.#pool = new Pool({
      Client: this.#hosts.clientClass(),
      user: target.user,
      ...(target.password === undefined ? {} : { password: target.password }),
      database: target.database,
      ssl: target.tls,
      max: connections,
      connectionTimeoutMillis: timeoutMs,
      idleTimeoutMillis: idleMs,
      maxLifetimeSeconds: lifetimeSeconds,
      // For the driver's own queries; ours set their own timeout.
      query_timeout: timeoutMs + graceMs,
      keepAlive: true,
      application_name: 'wajah',
      // What a transaction asks without a wait in between takes one round trip.
      pipeline: true,
      types,
      ...(readOnly ? {} : { onConnect: requirePrimary }),
    });
    // Without a listener, a connection that breaks between two statements would end the process. An idle one has left
    // the pool by then; the next statement on one in use fails.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  all<Row>(sql: string, ...values: PgValue[]): Promise<Row[]> {
    return this.#with((client) => this.#session(client).all<Row>(sql, ...values));
  }

  get<Row>(sql: string, ...values: PgValue[]): Promise<Row | undefined> {
    return this.#with((client) => this.#session(client).get<Row>(sql, ...values));
  }

  run(sql: string, ...values: PgValue[]): Promise<number> {
    return this.#with((client) => this.#session(client).run(sql, ...values));
  }

  count<Row>(sql: string, ...values: PgValue[]): Promise<Row | undefined> {
    return this.get(sql, ...values);
  }

  erase(sql: string, ...values: PgValue[]): Promise<number> {
    return this.run(sql, ...values);
  }

  returning<Row>(sql: string, ...values: PgValue[]): Promise<Row | undefined> {
    return this.get(sql, ...values);
  }

  runAll(...given: Parameters<Session['runAll']>): Promise<void> {
    return this.#with((client) => this.#session(client).runAll(...given));
  }

  script(sql: string): Promise<void> {
    return this.#with((client) => this.#session(client).script(sql));
  }

  purge(): void {}

  /** At READ COMMITTED. */
  async transaction<T>(
    work: (session: PgSession) => Promise<T>,
    options: TransactionOptions & { readonly unleased?: boolean } = {},
  ): Promise<T> {
    const { timeoutMs = this.#timeoutMs, gallery, lock, unleased = false } = options;
    const begin = beginOf(timeoutMs, gallery);
    const locked = async (session: PgSession) => {
      const taken = lock === undefined ? null : session.run(lockName, lock);
      return (await Promise.all([work(session), taken]))[0];
    };
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#with(
          (client) => transact(this.#session(client, timeoutMs), client, locked, begin),
          unleased,
        );
      } catch (error) {
        if (!isRetryable(error) || attempt === maxAttempts) throw error;
      }
    }
  }

  connections(): PoolUse {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { most: this.#most, open, idle, waiting };
  }

  /** @throws StoreUnavailable when a write failed and writes still fail */
  requireWritable(): Promise<void> {
    return this.#health.requireWritable();
  }

  /** Waits for running statements. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  #session(client: PoolClient, timeoutMs = this.#timeoutMs): PgSession {
    return sessionOf(client, timeoutMs, this.damaged);
  }

  /** @param lease awaited before each statement or transaction that is not `unleased`; throws to refuse it */
  requireLease(lease: (() => Promise<void>) | null): void {
    this.#lease = lease;
  }

  async #with<T>(work: (client: PoolClient) => Promise<T>, unleased = false): Promise<T> {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#lease && !unleased) await this.#lease();
    const client = await this.#connect();
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = isUnavailable(error);
      if (isWriteRefusal(error)) this.#health.reportFailure();
      if (codeOf(error) === readOnlyTransaction) this.#hosts.reportFailure(client);
      throw toStoreError(error);
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<PoolClient> {
    for (let attempt = 1; ; attempt++) {
      const host = this.#hosts.current;
      try {
        return await this.#pool.connect();
      } catch (error) {
        this.#hosts.reportFailure(host);
        if (!isUnavailable(error) || attempt >= this.#hosts.count) throw toStoreError(error);
      }
    }
  }
}

const readOnlyTransaction = '25006';

class NoPrimary extends Error {}

async function requirePrimary(client: Pick<PoolClient, 'query'>): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby !== false) throw new NoPrimary('no server of the database takes writes');
}

const lockName = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** One message, so that settings and lock cost no round trip. */
function beginOf(timeoutMs: number, gallery: number | undefined): string {
  const limits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const settings = limits.map((name) => `SET LOCAL ${name} = ${timeoutMs}`);
  const lock = `SELECT 1 FROM galleries WHERE id = ${Number(gallery)} FOR NO KEY UPDATE`;
  return ['BEGIN', ...settings, ...(gallery === undefined ? [] : [lock])].join('; ');
}

async function transact<T>(
  session: PgSession,
  client: PoolClient,
  work: (session: PgSession) => Promise<T>,
  begin: string,
): Promise<T> {
  let result: T;
  try {
    // A failure of the first is that of all behind it.
    [, result] = await Promise.all([client.query(begin), work(session)]);
  } catch (error) {
    if (!isUnavailable(error)) await client.query('ROLLBACK');
    throw error;
  }
  await client.query('COMMIT');
  return result;
}

function sessionOf(client: PoolClient, timeoutMs: number, damaged: Session['damaged']): PgSession {
  const query = async (text: string, values: readonly PgValue[]) => {
    requireStorable(values);
    const asked = { text, values: [...values], query_timeout: timeoutMs + graceMs };
    return client.query(asked);
  };
  return {
    dialect: postgres,
    damaged,
    all: async <Row>(sql: string, ...values: PgValue[]) => (await query(sql, values)).rows as Row[],
    get: async <Row>(sql: string, ...values: PgValue[]) =>
      (await query(sql, values)).rows[0] as Row | undefined,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    runAll: async (sql, columns, rows) => {
      if (rows.length === 0) return;
      const types = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`);
      const table = `unnest(${types}) AS n (${Object.keys(columns)})`;
      await query(
        sql.replaceAll(':rows', table),
        types.map((_, i) => rows.map((row) => inArray(row[i] ?? null))),
      );
    },
    script: async (sql) => {
      await client.query({ text: sql, query_timeout: timeoutMs + graceMs } as QueryConfig);
    },
  };
}

/** In arrays, the driver takes bytes as Buffer only. */
function inArray(value: SqlValue): SqlValue {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/** PostgreSQL stores no U+0000, and neither does the embedded store. */
function requireStorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (Array.isArray(value)) requireStorable(value);
    else if (typeof value === 'string' && value.includes('\0')) {
      throw new Error('text with U+0000 is not stored');
    }
  }
}

/**
 * Failover between the hosts of a URL: new connections go to the current one, which is the next one after a failure.
 */
class Hosts {
  readonly #hosts: DatabaseTarget['hosts'];
  #current = 0;

  constructor(hosts: DatabaseTarget['hosts']) {
    this.#hosts = hosts;
  }

  get count(): number {
    return this.#hosts.length;
  }

  get current(): DatabaseTarget['hosts'][number] {
    return this.#hosts[this.#current]!;
  }

  /**
   * @param failed host or connection to it; ignored when that host is no longer the current one: of several connections
   *   to one host that fail, the first moves on
   */
  reportFailure({ host, port }: DatabaseTarget['hosts'][number]): void {
    if (host !== this.current.host || port !== this.current.port) return;
    this.#current = (this.#current + 1) % this.#hosts.length;
  }

  /** For the pool: each connection goes to the host that is current when it is created. */
  clientClass(): NonNullable<PoolConfig['Client']> {
    const hosts = this;
    return class extends Client {
      constructor(config?: string | ClientConfig) {
        const { password } = config as ClientConfig;
        // The pool hides the password from what copies its options.
        super({ ...(config as ClientConfig), password, ...hosts.current });
      }
    };
  }
}

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) of a database that is unreachable, busy or shutting down, as
 * opposed to a wrong statement.
 */
const unavailableStates = [
  /^08/, // connection exception; also what PgBouncer answers
  /^53/, // insufficient resources: connections, memory, disk
  /^57/, // operator intervention: shutdown, crash, starting up, statement timeout
  /^58/, // system error
  /^28/, // the password was changed
  /^3D/, // no such database (yet)
  /^25006$/, // read-only transaction: the server is a standby now
  /^25P0[34]$/, // transaction waited too long
  /^55P03$/, // lock not available in time
  /^XX000$/, // internal error: a pooler without server, a standby that is being promoted
];

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** What the database asks for and the URL does not have. */
export const noPassword = 'NO_PASSWORD';

/** What the URL asks for and the server does not have. */
export const noTls = 'NO_TLS';

/** The driver has no codes for these errors of its own: what its words mean. */
const worded: readonly (readonly [words: RegExp, code: string])[] = [
  [/timeout exceeded|read timeout|connection timeout/i, 'ETIMEDOUT'],
  [
    /connection terminated|not queryable|connection ended|client was closed|connection is closed/i,
    'ECONNRESET',
  ],
  [/does not support SSL/i, noTls],
  [/password must be a (non-empty )?string/, noPassword],
];

/** Deadlock and serialization failure: rolled back, may be retried. */
const retryableStates = new Set(['40001', '40P01']);

/** Properties of a database error that may quote values. */
const quotingFields = ['detail', 'where', 'hint', 'internalQuery'] as const;

/** Whether the database is unreachable, as opposed to a wrong statement. */
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code.length === 5 && unavailableStates.some((pattern) => pattern.test(code))) return true;
  return unavailableCodes.has(code) || error instanceof NoPrimary;
}

/** Whether the database refuses writes: its disk is full or fails, or it is read-only. */
function isWriteRefusal(error: unknown): boolean {
  return /^(53100|58030|25006)$/.test(codeOf(error));
}

function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(error));
}

/** Maps an error of the driver to the store's own; removes values that the database quotes in its details. */
export function toStoreError(error: unknown): unknown {
  if (!isUnavailable(error)) {
    if (error instanceof DatabaseError) for (const name of quotingFields) delete error[name];
    return error;
  }
  const code = codeOf(error);
  const reason = code === '' ? '' : ` (${code})`;
  const kind = isWriteRefusal(error) ? StoreReadOnly : StoreUnavailable;
  return new kind(`${reasons.get(code) ?? unreachable}${reason}`, { cause: error });
}

const unreachable = 'the database cannot be reached or does not answer in time';

const reasons: ReadonlyMap<string, string> = new Map([
  ['53100', 'the disk of the database is full'],
  ['58030', 'the disk of the database fails'],
  ['25006', 'the database takes no writes'],
  ['53300', 'the database has too many connections'],
]);

/** SQLSTATE, or code of the system; empty: none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  if (!(error instanceof Error)) return '';
  return worded.find(([words]) => words.test(error.message))?.[1] ?? '';
}
