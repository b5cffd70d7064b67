import type { PostgresDatabase } from '../postgres/connection/database.ts';
import type { CopyDatabase, Value } from './copy-end.ts';

/** Copying is not in a hurry. */
const copyTimeoutMs = 10 * 60 * 1000;

/** @param name for people */
export function postgresCopyDatabase(db: PostgresDatabase, name: string): CopyDatabase {
  return {
    name,
    all: (sql, values) =>
      db.transaction(
        (session) => session.all<Record<string, Value>>(numbered(sql), ...values),
        copyTimeoutMs,
      ),
    write: (statements) =>
      db.transaction(async (session) => {
        for (const { sql, values } of statements) await session.run(numbered(sql), ...values);
      }, copyTimeoutMs),
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
    close: () => db.close(),
  };
}

/** $1, $2 … for each ?. */
function numbered(sql: string): string {
  let place = 0;
  return sql.replaceAll('?', () => `$${++place}`);
}
