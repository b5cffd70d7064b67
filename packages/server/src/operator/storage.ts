import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { maskDatabaseUrl } from '../config/database-url.ts';
import { OperatorError } from '../errors.ts';
import { findMasterKey } from '../security/keys/master-key.ts';
import { copySigningKey } from '../security/keys/signing-key.ts';
import type { CopyDatabase } from '../store/copy/copy-end.ts';
import { type CopyProgress, copyStore } from '../store/copy/copy-store.ts';
import { postgresCopyDatabase } from '../store/copy/postgres-end.ts';
import { sqliteCopyDatabase } from '../store/copy/sqlite-end.ts';
import { lockDataDirectory } from '../store/data-directory.ts';
import { postgresMeta } from '../store/postgres/meta.ts';
import { openPostgresDatabase } from '../store/postgres/open.ts';
import { backUp } from '../store/sqlite/connection/backup.ts';
import { openSqliteDatabase } from '../store/sqlite/open.ts';
import type { MetaStore } from '../store/store.ts';

/** What an operator may do with what is stored. What cannot be done is an OperatorError. */
export interface StorageOperations {
  /** Copies the embedded database into a new file while a server runs. @returns bytes */
  backup(file: string): Promise<number>;
  /**
   * Copies a store into an empty one, or goes on where that stopped.
   * @param from a data directory, a postgres:// URL, or `data` or `database` for those that are set
   * @returns rows copied and compared, by table
   */
  migrate(from: string, to: string, progress: CopyProgress): Promise<Record<string, number>>;
}

export function storageOperations(config: Config): StorageOperations {
  return {
    async backup(file) {
      if (config.database) {
        throw new OperatorError(
          'WAJAH_DATABASE_URL is set: back the database up with the tools of PostgreSQL (pg_dump, pg_basebackup)',
        );
      }
      return backUp(join(config.dataDir, 'wajah.db'), resolve(file));
    },
    migrate: (from, to, progress) => migrate(config, from, to, progress),
  };
}

async function migrate(config: Config, from: string, to: string, progress: CopyProgress) {
  const [source, target] = [placeOf(config, from), placeOf(config, to)];
  if (source.name === target.name) throw new OperatorError('--from and --to are the same store');
  const ends: Opened[] = [];
  try {
    for (const place of [source, target]) ends.push(await place.open());
    const [here, there] = ends as [Opened, Opened];
    const counts = await copyStore(here.end, there.end, progress);
    const directory = [here, there].find((end) => 'dataDir' in end.keys)?.keys as
      | { dataDir: string }
      | undefined;
    const masterKey = findMasterKey(directory?.dataDir ?? config.dataDir, config.secretKey);
    if (masterKey) await copySigningKey(masterKey, here.keys, there.keys);
    return counts;
  } finally {
    for (const end of ends.reverse()) await end.close();
  }
}

interface Opened {
  readonly end: CopyDatabase;
  /** Where its signing key is. */
  readonly keys: { readonly meta: MetaStore } | { readonly dataDir: string };
  close(): Promise<void>;
}

interface Place {
  /** For people, without a password. */
  readonly name: string;
  open(): Promise<Opened>;
}

function placeOf(config: Config, given: string): Place {
  if (given === 'data') return directoryPlace(config.dataDir);
  if (/^postgres(ql)?:/.test(given)) return databasePlace(given);
  if (given !== 'database') return directoryPlace(resolve(given));
  if (!config.database) throw new OperatorError('database: WAJAH_DATABASE_URL is not set');
  return databasePlace(config.database.url);
}

function directoryPlace(dataDir: string): Place {
  return {
    name: dataDir,
    async open() {
      const directory = lockDataDirectory(dataDir);
      try {
        const db = openSqliteDatabase(join(dataDir, 'wajah.db'));
        const close = async () => {
          db.close();
          directory.release();
        };
        return { end: sqliteCopyDatabase(db, dataDir), keys: { dataDir }, close };
      } catch (error) {
        directory.release();
        throw error;
      }
    },
  };
}

function databasePlace(url: string): Place {
  const name = maskDatabaseUrl(url);
  return {
    name,
    async open() {
      const db = await openPostgresDatabase({ url, connections: 2 });
      return {
        end: postgresCopyDatabase(db, name),
        keys: { meta: postgresMeta(db) },
        close: () => db.close(),
      };
    },
  };
}
