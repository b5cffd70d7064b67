import { Pool, type PoolClient, type QueryConfig, TypeOverrides } from 'pg';
import type { DatabaseTarget } from '../../../config/database-url.ts';
import { localMetaKeys } from '../../copy/tables.ts';
import { testValue, WriteHealthCheck } from '../../write-health-check.ts';
import { codeOf, isRetryable, isUnavailable, isWriteRefusal, toStoreError } from './failures.ts';
import { Hosts } from './hosts.ts';

/** What a query may be given. Whole numbers must be safe integers; times are milliseconds since 1970. */
export type SqlValue = string | number | Uint8Array | null | readonly (string | number | Uint8Array | null)[];

/** Where statements run: each by itself, or all inside one transaction. */
export interface Session {
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** @returns how many rows changed */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

interface DatabaseOptions {
  /** Connections at most. */
  readonly connections: number;
  /** After this many milliseconds a statement, or the wait for a connection, is given up. */
  readonly timeoutMs: number;
  /** A copy that only reads; else a host that is a standby is passed over. */
  readonly readOnly?: boolean;
}

const idleMs = 30_000;
/** Old connections are made anew now and then, so that a moved name or a new certificate is noticed. Seconds. */
const lifetimeSeconds = 3600;
const transactionTries = 10;
/** The driver's patience, there for a network that swallows everything, exceeds the server's by this. */
const graceMs = 1000;
/** SQL type numbers whose text is read as a number: int8 (all of ours are safe integers). */
const int8 = 20;

/**
 * Connections to PostgreSQL. Nothing here outlives a transaction on the server's side (no named statement, no
 * session setting, no session lock), so a pooler in transaction mode may stand between.
 *
 * Every error that means "the database is away" leaves as StoreUnavailable; a transaction is then whole or not
 * there, and whether it is can be unknown when the connection broke while it was being committed.
 */
export class PostgresDatabase implements Session {
  readonly #pool: Pool;
  readonly #hosts: Hosts;
  readonly #timeoutMs: number;
  readonly #doubt = new WriteHealthCheck(() => this.#probe());
  #closed = false;

  constructor(target: DatabaseTarget, { connections, timeoutMs, readOnly = false }: DatabaseOptions) {
    this.#hosts = new Hosts(target.hosts);
    this.#timeoutMs = timeoutMs;
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
      // For what the driver asks itself; ours say their own.
      query_timeout: timeoutMs + graceMs,
      keepAlive: true,
      application_name: 'wajah',
      types,
      ...(readOnly ? {} : { onConnect: requirePrimary }),
    });
    // A connection that breaks between two statements says so to whom it may concern: to nobody, or the process would
    // end. An idle one has left the pool by then; the next statement of one in use is refused.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#with((client) => this.#session(client).all<Row>(sql, ...values));
  }

  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return this.#with((client) => this.#session(client).get<Row>(sql, ...values));
  }

  run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#with((client) => this.#session(client).run(sql, ...values));
  }

  script(sql: string): Promise<void> {
    return this.#with((client) => this.#session(client).script(sql));
  }

  /**
   * Runs `work` whole or not at all, at READ COMMITTED: each statement sees what is committed when it starts. Runs
   * it again when the database broke a deadlock by giving it up, so it must change nothing outside.
   * @param timeoutMs for each statement, if the usual one is too short
   */
  async transaction<T>(work: (session: Session) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#with((client) => transact(client, work, timeoutMs));
      } catch (error) {
        if (!isRetryable(error) || tries === transactionTries) throw error;
      }
    }
  }

  /** Asked often. @throws StoreUnavailable when something could not be written, and still nothing can */
  requireWritable(): Promise<void> {
    return this.#doubt.requireWritable();
  }

  async #probe(): Promise<void> {
    const put = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
    await this.run(put, localMetaKeys.writeTest, testValue());
    await this.run('DELETE FROM meta WHERE key = $1', localMetaKeys.writeTest);
  }

  /** Waits for the statements that run. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  #session(client: PoolClient): Session {
    return sessionOf(client, this.#timeoutMs);
  }

  async #with<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the store is closed');
    const client = await this.#connect();
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = isUnavailable(error);
      if (isWriteRefusal(error)) this.#doubt.reportFailure();
      if (codeOf(error) === readOnlyTransaction) this.#hosts.reportFailure(this.#hosts.current);
      throw toStoreError(error);
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<PoolClient> {
    for (let tries = 1; ; tries++) {
      const host = this.#hosts.current;
      try {
        return await this.#pool.connect();
      } catch (error) {
        this.#hosts.reportFailure(host);
        if (!isUnavailable(error) || tries >= this.#hosts.count) throw toStoreError(error);
      }
    }
  }
}

const readOnlyTransaction = '25006';

async function requirePrimary(client: Pick<PoolClient, 'query'>): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby !== false) throw new Error('no server of the database takes writes');
}

async function transact<T>(
  client: PoolClient,
  work: (session: Session) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  await client.query(
    `BEGIN; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs}`,
  );
  let result: T;
  try {
    result = await work(sessionOf(client, timeoutMs));
  } catch (error) {
    if (!isUnavailable(error)) await client.query('ROLLBACK');
    throw error;
  }
  await client.query('COMMIT');
  return result;
}

function sessionOf(client: PoolClient, timeoutMs: number): Session {
  const query = async (text: string, values: readonly SqlValue[]) => {
    requireStorable(values);
    const asked = { text, values: [...values], query_timeout: timeoutMs + graceMs };
    return client.query(asked);
  };
  return {
    all: async <Row>(sql: string, ...values: SqlValue[]) => (await query(sql, values)).rows as Row[],
    get: async <Row>(sql: string, ...values: SqlValue[]) =>
      (await query(sql, values)).rows[0] as Row | undefined,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    script: async (sql) => {
      await client.query({ text: sql, query_timeout: timeoutMs + graceMs } as QueryConfig);
    },
  };
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
