import type { Session } from './database/session.ts';
import type { MetaStore } from './ports/meta.ts';

export function createMetaStore(db: Pick<Session, 'get' | 'run'>): MetaStore {
  const get = async (key: string): Promise<string | null> =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value ?? null;
  return {
    get,
    async setIfAbsent(key, value) {
      await db.run('INSERT INTO meta VALUES ($1, $2) ON CONFLICT DO NOTHING', key, value);
      return (await get(key)) ?? value;
    },
    async replace(key, from, to) {
      const sql = 'UPDATE meta SET value = $3 WHERE key = $1 AND value = $2';
      return (await db.run(sql, key, from, to)) === 1;
    },
    async set(key, value) {
      const put = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
      if (value === null) await db.run('DELETE FROM meta WHERE key = $1', key);
      else await db.run(put, key, value);
    },
  };
}
