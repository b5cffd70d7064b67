import type { Session } from './database/session.ts';

export type MetaStore = ReturnType<typeof createMetaStore>;

/** Named values of the installation. */
export function createMetaStore(db: Pick<Session, 'get' | 'run'>) {
  const get = async (key: string): Promise<string | null> =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value ?? null;
  return {
    get,
    /** Sets the value if the key has none. @returns the stored value */
    async setIfAbsent(key: string, value: string): Promise<string> {
      await db.run('INSERT INTO meta VALUES ($1, $2) ON CONFLICT DO NOTHING', key, value);
      return (await get(key)) ?? value;
    },
    /** Replaces a value. @returns false when it is not `from` any longer */
    async replace(key: string, from: string, to: string): Promise<boolean> {
      const sql = 'UPDATE meta SET value = $3 WHERE key = $1 AND value = $2';
      return (await db.run(sql, key, from, to)) === 1;
    },
    /** Sets the value; null deletes it. */
    async set(key: string, value: string | null): Promise<void> {
      const put = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
      if (value === null) await db.run('DELETE FROM meta WHERE key = $1', key);
      else await db.run(put, key, value);
    },
  };
}
