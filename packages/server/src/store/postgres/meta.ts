import type { MetaStore } from '../store.ts';
import type { PostgresDatabase } from './connection/database.ts';

export function postgresMeta(db: PostgresDatabase): MetaStore {
  const find = async (key: string) =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value;
  return {
    get: async (key) => (await find(key)) ?? null,
    setIfAbsent: async (key, value) => {
      await db.run('INSERT INTO meta VALUES ($1, $2) ON CONFLICT DO NOTHING', key, value);
      return (await find(key)) ?? value;
    },
    set: async (key, value) => {
      if (value === null) await db.run('DELETE FROM meta WHERE key = $1', key);
      else {
        await db.run(
          'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
          key,
          value,
        );
      }
    },
  };
}
