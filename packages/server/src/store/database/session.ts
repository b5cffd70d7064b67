import type { DamagedRow } from '../../errors.ts';

/** Query parameter. Whole numbers must be safe integers; times are milliseconds since 1970. */
export type SqlValue = string | number | Uint8Array | null;

/** Type of a column in SQL that both databases understand. */
export type ColumnType = 'text' | 'bigint' | 'bytea' | 'double precision';

/** Runs statements with $1, $2 … as placeholders: each by itself, or all inside one transaction. */
export interface Session {
  readonly dialect: Dialect;
  /** Is told of each row that cannot be read. */
  readonly damaged: (row: DamagedRow) => void;
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** @returns number of changed rows */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /**
   * Runs a statement that reads given rows, in which `:rows` stands for a table of them named n; PostgreSQL runs it once.
   * @param columns of n, in the order of the values of a row
   * @example await session.runAll('INSERT INTO words (word) SELECT word FROM :rows', { word: 'text' }, [['a'], ['b']]);
   */
  runAll(
    sql: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<void>;
}

export interface TransactionOptions {
  /**
   * Internal number of a gallery whose writes of all servers wait for the end of the transaction: a reader of version n
   * then finds every face with a seq up to n.
   */
  readonly gallery?: number;
  /** Transactions of all servers that name the same one run one after the other. */
  readonly lock?: string;
  /** The work erases: the embedded store also runs it while its disk is full. */
  readonly erases?: boolean;
  /** The embedded store does not wait for the disk: the write outlives the process, and 50 ms later a power failure. */
  readonly relaxed?: boolean;
  /** Of each statement, milliseconds; only PostgreSQL has one. */
  readonly timeoutMs?: number;
}

/** A database. Outside of transactions each statement commits by itself. */
export interface Database extends Session {
  /**
   * Runs `work` atomically, durable when it resolves. It may be run again after a deadlock or on a full disk, so it must
   * have no other side effects; it uses only the session, and waits for nothing else: the embedded store has one
   * transaction at a time, which no other task of the event loop interrupts.
   */
  transaction<T>(work: (session: Session) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** As `returning`, for counters: the write outlives the process, and may be lost when the machine loses its power. */
  count<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** As `run`, for statements that only erase: the embedded store also runs them while its disk is full. */
  erase(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Commits a write with RETURNING. @returns its first row */
  returning<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** Completes erasures on disk, where the database can. */
  purge(): void;
}

/** For `runAll`: all columns of the rows as they are. */
export function allRows(columns: Readonly<Record<string, ColumnType>>): string {
  return `SELECT ${Object.keys(columns)} FROM :rows`;
}

/** A table with its unique key. */
export interface KeyedTable {
  readonly name: string;
  readonly key: readonly string[];
}

/** What differs between the databases in SQL. */
export interface Dialect {
  readonly kind: 'sqlite' | 'postgres';
  /** Clauses that lock rows; empty where transactions run one after the other. */
  readonly forUpdate: string;
  readonly forNoKeyUpdate: string;
  readonly forKeyShare: string;
  readonly skipLocked: string;
  /**
   * Small rows that one transaction changes of an unlimited number. The embedded store changes them on the event loop:
   * about 5 ms.
   */
  readonly rowsAtOnce: number;
  /** Statement that erases some rows of a table. @param limit parameter: how many */
  eraseSome(table: KeyedTable, where: string, limit: string): string;
  /** Text at a key of a column of JSON. */
  jsonText(column: string, key: string): string;
  /** Year and month, UTC, of a column of milliseconds since 1970. */
  monthOf(column: string): string;
  /** Query of the `name` of each table, and of each column of one. */
  readonly tables: string;
  columns(table: string): string;
  /** Query of the last `value` of a sequence, and statements that set it. */
  lastNumber(table: string, column: string): string;
  setLastNumber(table: string, column: string, value: number): readonly string[];
  /** Statement that erases wrapped keys. @param which SQL condition */
  eraseKeys(table: string, which: string): string;
}

export const sqlite: Dialect = {
  kind: 'sqlite',
  forUpdate: '',
  forNoKeyUpdate: '',
  forKeyShare: '',
  skipLocked: '',
  rowsAtOnce: 500,
  eraseSome: ({ name }, where, limit) =>
    `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE ${where} LIMIT ${limit})`,
  jsonText: (column, key) => `json_extract(${column}, '$.${key}')`,
  monthOf: (column) => `strftime('%Y-%m', ${column} / 1000, 'unixepoch')`,
  tables: "SELECT name FROM sqlite_master WHERE type = 'table'",
  columns: (table) => `SELECT name FROM pragma_table_info('${table}')`,
  lastNumber: (table) => `SELECT seq AS value FROM sqlite_sequence WHERE name = '${table}'`,
  setLastNumber: (table, _, value) => [
    `DELETE FROM sqlite_sequence WHERE name = '${table}'`,
    `INSERT INTO sqlite_sequence (name, seq) VALUES ('${table}', ${value})`,
  ],
  // Overwritten and not deleted: SQLite may leave a copy of a row that it moves.
  eraseKeys: (table, which) =>
    `UPDATE ${table} SET wrapped_key = zeroblob(length(wrapped_key)) WHERE ${which}`,
};

export const postgres: Dialect = {
  kind: 'postgres',
  forUpdate: 'FOR UPDATE',
  forNoKeyUpdate: 'FOR NO KEY UPDATE',
  forKeyShare: 'FOR KEY SHARE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  rowsAtOnce: 2500,
  // The condition stands twice, so that only one partition of faces is read.
  eraseSome: ({ name, key }, where, limit) =>
    `DELETE FROM ${name} WHERE ${where} AND (${key}) IN (SELECT ${key} FROM ${name} WHERE ${where} LIMIT ${limit})`,
  jsonText: (column, key) => `${column}::json ->> '${key}'`,
  monthOf: (column) => `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`,
  tables: `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition`,
  columns: (table) => `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass('${table}')
    AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  lastNumber: (table, column) =>
    `SELECT pg_sequence_last_value(pg_get_serial_sequence('${table}', '${column}')::regclass) AS value`,
  setLastNumber: (table, column, value) =>
    value === 0 ? [] : [`SELECT setval(pg_get_serial_sequence('${table}', '${column}'), ${value})`],
  eraseKeys: (table, which) => `DELETE FROM ${table} WHERE ${which}`,
};

/** How to reach a PostgreSQL store. */
export interface PostgresOptions {
  /** postgres://…; of several hosts, the one that accepts writes is used. */
  readonly url: string;
  /** Maximum number of connections. Default: 10. */
  readonly connections?: number;
  /** Timeout of a statement and of the wait for a connection, milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
}

/** Connections of a pool. */
export interface PoolUse {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** Statements in the transaction of a write, of those who keep what happens in it. */
export type Alongside = (session: Session) => Promise<void>;
