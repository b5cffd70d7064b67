import type { Database } from './database/session.ts';

/** Named values of the installation. */
export interface MetaStore {
  get(key: string): Promise<string | null>;
  /** Sets the value if the key has none. @returns the stored value */
  setIfAbsent(key: string, value: string): Promise<string>;
  /** Replaces a value. @returns false when it is not `from` any longer */
  replace(key: string, from: string, to: string): Promise<boolean>;
  /** Sets the value; null deletes it. */
  set(key: string, value: string | null): Promise<void>;
}

export function createMetaStore(db: Database): MetaStore {
  const find = async (key: string) =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value;
  return {
    get: async (key) => (await find(key)) ?? null,
    setIfAbsent: async (key, value) => {
      await db.run('INSERT INTO meta VALUES ($1, $2) ON CONFLICT DO NOTHING', key, value);
      return (await find(key)) ?? value;
    },
    replace: async (key, from, to) =>
      (await db.run('UPDATE meta SET value = $3 WHERE key = $1 AND value = $2', key, from, to)) === 1,
    set: async (key, value) => {
      const upsert =
        'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
      if (value === null) await db.run('DELETE FROM meta WHERE key = $1', key);
      else await db.run(upsert, key, value);
    },
  };
}
