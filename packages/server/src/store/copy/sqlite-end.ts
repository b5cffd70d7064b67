import type { SqliteDatabase } from '../sqlite/connection/database.ts';
import type { CopyDatabase, Value } from './copy-end.ts';

/** @param name for people */
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
