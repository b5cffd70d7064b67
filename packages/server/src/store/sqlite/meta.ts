import type { MetaStore } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

export function sqliteMeta(db: SqliteDatabase): MetaStore {
  const find = (key: string) => db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
  return {
    get: async (key) => find(key) ?? null,
    init: async (key, value) => {
      db.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING', key, value);
      return find(key) ?? value;
    },
  };
}
