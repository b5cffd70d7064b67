import type { PostgresDatabase, PgSession as Session } from '../postgres/connection/database.ts';
import type { SqliteDatabase } from '../sqlite/connection/database.ts';

/** What a database stores. */
export type Value = string | number | Uint8Array | null;

/** A database to copy from or to. Statements have ? as placeholders. */
export interface CopyDatabase {
  /** For messages, without password. */
  readonly name: string;
  all(sql: string, values: readonly Value[]): Promise<Record<string, Value | ArrayBuffer>[]>;
  /** Runs statements in one transaction. */
  write(statements: readonly { readonly sql: string; readonly values: readonly Value[] }[]): Promise<void>;
  tables(): Promise<string[]>;
  columns(table: string): Promise<string[]>;
  /** Last value of a table's sequence. */
  sequenceValue(table: string, column: string): Promise<number>;
  setSequenceValue(table: string, column: string, value: number): Promise<void>;
  close(): Promise<void>;
}

/** @param name for messages, without password */
export function sqliteCopyDatabase(db: SqliteDatabase, name: string): CopyDatabase {
  return {
    name,
    all: async (sql, values) => db.all<Record<string, Value>>(sql, ...values),
    write: async (statements) =>
      db.transaction(() => {
        for (const { sql, values } of statements) db.run(sql, ...values);
      }),
    tables: async () =>
      db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name),
    columns: async (table) =>
      db.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name),
    sequenceValue: async (table) =>
      db.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)?.seq ?? 0,
    setSequenceValue: async (table, _, value) => {
      const changed = db.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', value, table);
      if (changed === 0) db.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, value);
    },
    close: async () => db.close(),
  };
}

/** Of a statement, milliseconds. */
export const copyTimeoutMs = 10 * 60 * 1000;
const long = { timeoutMs: copyTimeoutMs };

/** @param name for messages, without password */
export function postgresCopyDatabase(db: PostgresDatabase, name: string): CopyDatabase {
  return {
    ...postgresCopySession(db, name),
    all: (sql, values) =>
      db.transaction((session) => postgresCopySession(session, name).all(sql, values), long),
    write: (statements) =>
      db.transaction((session) => postgresCopySession(session, name).write(statements), long),
    close: () => db.close(),
  };
}

/** The same in one transaction of the caller. */
export function postgresCopySession(db: Session, name: string): Omit<CopyDatabase, 'close'> {
  return {
    name,
    all: (sql, values) => db.all<Record<string, Value>>(numbered(sql), ...values),
    write: async (statements) => {
      for (const { sql, values } of statements) await db.run(numbered(sql), ...values);
    },
    tables: async () => {
      const rows = await db.all<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
           AND relkind IN ('r', 'p') AND NOT relispartition`,
      );
      return rows.map(({ name }) => name);
    },
    columns: async (table) => {
      const rows = await db.all<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
           AND NOT attisdropped ORDER BY attnum`,
        table,
      );
      return rows.map(({ name }) => name);
    },
    sequenceValue: async (table, column) => {
      const row = await db.get<{ value: number | null }>(
        'SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) AS value',
        table,
        column,
      );
      return row?.value ?? 0;
    },
    setSequenceValue: async (table, column, value) => {
      if (value > 0) await db.run('SELECT setval(pg_get_serial_sequence($1, $2), $3)', table, column, value);
    },
  };
}

/** $1, $2 … for each ?. */
function numbered(sql: string): string {
  let place = 0;
  return sql.replaceAll('?', () => `$${++place}`);
}
