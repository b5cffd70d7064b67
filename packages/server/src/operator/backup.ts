import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { type ArchiveSecret, readArchive, writeArchive } from '../security/archive.ts';
import { openAuditChain } from '../security/audit-chain.ts';
import { findMasterKeys, keyDigest, masterKeyCheck } from '../security/keys/master-key.ts';
import type { Keys } from '../security/vaults/sealing.ts';
import {
  type BackupContent,
  backupLines,
  onlyVerified,
  type Restoring,
  readBackup,
} from '../store/backup/backup-lines.ts';
import {
  restorePostgres,
  restoreSqlite,
  type SnapshotWork,
  withPostgresSnapshot,
  withSqliteSnapshot,
} from '../store/backup/restore.ts';
import { lockDataDirectory } from '../store/data-directory.ts';
import { archiveSecret, type SecretFiles } from './archive-secret.ts';

/** Called with rows done and all of them. */
type Progress = (rows: number, total: number) => void;

/**
 * Backups of the configured store. They throw an OperatorError when they cannot be done.
 * @param program version
 */
export function backupOperations(config: Config, program: string) {
  const read = (file: string, secret: ArchiveSecret) => readArchive(resolve(file), 'backup', secret);
  return {
    /** Writes a snapshot into a new file, also while servers run, and reads it again. @returns bytes */
    backup: (file: string, files: SecretFiles, progress: Progress): Promise<number> => {
      const secret = archiveSecret(config, files);
      const head = { kind: 'backup', createdAt: new Date().toISOString(), program } as const;
      const verify = async (draft: string) => void (await readBackup(read(draft, secret), onlyVerified));
      const write = (...[db, schema]: Parameters<SnapshotWork<number>>) =>
        writeArchive(resolve(file), head, secret, backupLines(db, schema, progress), verify);
      return config.database
        ? withPostgresSnapshot(config.database, write)
        : withSqliteSnapshot(join(config.dataDir, 'wajah.db'), write);
    },
    /** Reads a backup and compares every digest. */
    verify: (file: string, files: SecretFiles): Promise<BackupContent> =>
      readBackup(read(file, archiveSecret(config, files)), onlyVerified),
    /** Restores a backup that was verified. @returns also the former file, where one was replaced */
    restore: (file: string, files: SecretFiles, force: boolean, progress: Progress) =>
      restore(config, () => read(file, archiveSecret(config, files)), force, progress),
  };
}

async function restore(
  config: Config,
  lines: () => AsyncIterable<string>,
  force: boolean,
  progress: Progress,
): Promise<BackupContent & { readonly former: string | null }> {
  const masterKeys = findMasterKeys(config);
  if (masterKeys === null) {
    throw new OperatorError(
      'there is no master key here: put secret.key into the data directory, or set WAJAH_SECRET_KEY, to the key that the backup was made with',
    );
  }
  // Everything is read once before anything is written.
  const { head, rows } = await readBackup(lines(), onlyVerified);
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const restoring: Restoring = {
    ...{ lines, force },
    requireMeta: (values) => requireKey(masterKeys, values.get(masterKeyCheck)),
    progress: (done) => progress(done, total),
    record: (parts) => recordRestore(parts, masterKeys),
  };
  if (config.database) {
    return { ...(await restorePostgres(config.database, head, restoring)), former: null };
  }
  const directory = lockDataDirectory(config.dataDir);
  try {
    return await restoreSqlite(join(config.dataDir, 'wajah.db'), restoring);
  } finally {
    directory.release();
  }
}

function requireKey(masterKeys: Keys, digest: string | undefined): void {
  if (digest === undefined || masterKeys.map(keyDigest).includes(digest)) return;
  throw new OperatorError(
    'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that the data of the backup are sealed under; nothing was written',
  );
}

async function recordRestore(
  { meta, audit }: Parameters<Restoring['record']>[0],
  masterKeys: Keys,
): Promise<void> {
  const entry = { at: new Date(), event: 'administered', clientId: null, trxId: null };
  await audit.append([{ ...entry, facts: { operation: 'restore' } }], await openAuditChain(masterKeys, meta));
}
