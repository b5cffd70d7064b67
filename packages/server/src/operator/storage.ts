import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { maskDatabaseUrl } from '../config/database-url.ts';
import { OperatorError } from '../errors.ts';
import { openAuditChain } from '../security/audit-chain.ts';
import { findMasterKeys } from '../security/keys/master-key.ts';
import { copySigningKeys } from '../security/keys/signing-keys.ts';
import type { Keys } from '../security/vaults/sealing.ts';
import { createAuditStore } from '../store/audit-store.ts';
import { backUp } from '../store/backup/plain-backup.ts';
import { type CopyProgress, copyStore, unhurried } from '../store/copy.ts';
import { lockDataDirectory } from '../store/data-directory.ts';
import { createMetaStore } from '../store/meta-store.ts';
import { openPostgresDatabase } from '../store/postgres-store.ts';
import { openSqliteDatabase } from '../store/sqlite-store.ts';

/** Operations of the operator on stores. They throw an OperatorError when they cannot be done. */
export function storageOperations(config: Config) {
  return {
    /** Copies the embedded database into a new file while a server runs. @returns bytes */
    async backup(file: string): Promise<number> {
      if (config.database) {
        throw new OperatorError(
          'WAJAH_DATABASE_URL is set: back the database up with the tools of PostgreSQL (pg_dump, pg_basebackup)',
        );
      }
      return backUp(join(config.dataDir, 'wajah.db'), resolve(file));
    },
    /**
     * Copies a store into an empty one, or resumes an interrupted copy.
     * @param from a data directory, a postgres:// URL, or `data` or `database` for those of the settings
     * @returns rows copied and compared, by table
     */
    migrate: (from: string, to: string, progress: CopyProgress) => migrate(config, from, to, progress),
  };
}

async function migrate(config: Config, fromPlace: string, toPlace: string, progress: CopyProgress) {
  const [source, target] = [resolvePlace(config, fromPlace), resolvePlace(config, toPlace)];
  if (source.name === target.name) throw new OperatorError('--from and --to are the same store');
  const from = await source.open();
  try {
    const to = await target.open();
    try {
      const counts = await copyStore(from.end, to.end, progress);
      const dataDir = source.dataDir ?? target.dataDir ?? config.dataDir;
      const masterKeys = findMasterKeys({ ...config, dataDir });
      if (masterKeys) {
        await copySigningKeys(masterKeys, from.keys, to.keys);
        await recordCopy(to, masterKeys, source.name);
      }
      return counts;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** In the audit trail of the copy. */
async function recordCopy(to: OpenPlace, masterKeys: Keys, from: string): Promise<void> {
  const entry = { at: new Date(), event: 'administered', clientId: null, trxId: null };
  const facts = { operation: 'migrate-store', from };
  await to.audit.append([{ ...entry, facts }], await openAuditChain(masterKeys, to.meta));
}

type OpenPlace = Awaited<ReturnType<ReturnType<typeof resolvePlace>['open']>>;

function resolvePlace(config: Config, given: string) {
  if (given === 'data') return directoryPlace(config.dataDir);
  if (/^postgres(ql)?:/.test(given)) return databasePlace(given);
  if (given !== 'database') return directoryPlace(resolve(given));
  if (!config.database) throw new OperatorError('database: WAJAH_DATABASE_URL is not set');
  return databasePlace(config.database.url);
}

function directoryPlace(dataDir: string) {
  return {
    name: dataDir,
    dataDir,
    async open() {
      const directory = lockDataDirectory(dataDir);
      try {
        const db = openSqliteDatabase(join(dataDir, 'wajah.db'));
        const close = async () => {
          await db.flushAndClose();
          directory.release();
        };
        const parts = { meta: createMetaStore(db.shared), audit: createAuditStore(db.shared) };
        return { end: { db: db.shared, name: dataDir }, keys: { dataDir }, ...parts, close };
      } catch (error) {
        directory.release();
        throw error;
      }
    },
  };
}

function databasePlace(url: string) {
  /** Without the password. */
  const name = maskDatabaseUrl(url);
  return {
    name,
    dataDir: null,
    async open() {
      const db = await openPostgresDatabase({ url, connections: 2 });
      const meta = createMetaStore(db);
      const parts = { meta, audit: createAuditStore(db) };
      return {
        end: { db: unhurried(db), name },
        keys: { meta },
        ...parts,
        close: () => db.close(),
      };
    },
  };
}
