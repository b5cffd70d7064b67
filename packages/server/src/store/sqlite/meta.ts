import type { MetaStore } from '../store.ts';
import type { SqliteDatabase } from './connection/database.ts';

export function sqliteMeta(db: SqliteDatabase): MetaStore {
  const find = (key: string) => db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
  return {
    get: async (key) => find(key) ?? null,
    setIfAbsent: (key, value) =>
      db.write(() => {
        db.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING', key, value);
        return find(key) ?? value;
      }),
    set: (key, value) =>
      db.write(() => {
        if (value === null) db.run('DELETE FROM meta WHERE key = ?', key);
        else
          db.run(
            'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
            key,
            value,
          );
      }),
  };
}
