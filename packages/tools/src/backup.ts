import { join, resolve } from 'node:path';
import {
  type Config,
  type Keys,
  keyDigest,
  loadConfig,
  lockDataDirectory,
  maskDatabaseUrl,
  masterKeyCheck,
  megabytes,
  OperatorError,
  openAuditChain,
  operationsOf,
  requireOneMasterKey,
  showProgress,
  type Terminal,
  type ToolCommands,
  table,
  version,
} from '@wajah/server/commands';
import {
  copySigningKeys,
  createAuditStore,
  createMetaStore,
  openPostgresDatabase,
  openSqliteDatabase,
} from '@wajah/server/stores';
import { type ArchiveSecret, archiveSecret, readArchive, type SecretFiles, writeArchive } from './archive.ts';
import {
  type BackupContent,
  backupLines,
  onlyVerified,
  type Restoring,
  readBackup,
} from './store/backup-lines.ts';
import { type CopyProgress, copyStore, unhurried } from './store/copy.ts';
import { backUp as copyFile } from './store/plain-backup.ts';
import {
  restorePostgres,
  restoreSqlite,
  type SnapshotWork,
  withPostgresSnapshot,
  withSqliteSnapshot,
} from './store/restore.ts';

/** Called with rows done and all of them. */
type Progress = (rows: number, total: number) => void;

/**
 * Backups of the configured store. They throw an OperatorError when they cannot be done.
 * @param program version
 */
export function backupOperations(config: Config, program: string) {
  const read = (file: string, secret: ArchiveSecret) => readArchive(resolve(file), secret);
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
      restoreStore(config, () => read(file, archiveSecret(config, files)), force, progress),
  };
}

async function restoreStore(
  config: Config,
  lines: () => AsyncIterable<string>,
  force: boolean,
  progress: Progress,
): Promise<BackupContent & { readonly former: string | null }> {
  const masterKeys = requireOneMasterKey(config);
  if (masterKeys === null) {
    throw new OperatorError(
      'there is no master key here: put secret.key into the data directory, or set WAJAH_SECRET_KEY, to the key that the backup was made with',
    );
  }
  // Everything is read once before anything is written.
  const { head, rows } = await readBackup(lines(), onlyVerified);
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const restoring: Restoring = {
    lines,
    force,
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
    'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that the data of the backup are sealed under; nothing was written: keep it, and restore into an empty data directory, or database, with the key of that time',
  );
}

async function recordRestore(
  { meta, audit }: Parameters<Restoring['record']>[0],
  masterKeys: Keys,
): Promise<void> {
  const entry = { at: new Date(), event: 'administered', clientId: null, trxId: null };
  await audit.append([{ ...entry, facts: { operation: 'restore' } }], await openAuditChain(masterKeys, meta));
}

/** Copies the embedded database into a new file while a server runs. @returns bytes */
async function copyPlain(config: Config, file: string): Promise<number> {
  if (config.database) {
    throw new OperatorError(
      'WAJAH_DATABASE_URL is set: back the database up with the tools of PostgreSQL (pg_dump, pg_basebackup)',
    );
  }
  return copyFile(join(config.dataDir, 'wajah.db'), resolve(file));
}

/**
 * Copies a store into an empty one, or resumes an interrupted copy.
 * @param fromPlace a data directory, a postgres:// URL, or `data` or `database` for those of the settings
 * @returns rows copied and compared, by table
 */
async function migrate(config: Config, fromPlace: string, toPlace: string, progress: CopyProgress) {
  const [source, target] = [resolvePlace(config, fromPlace), resolvePlace(config, toPlace)];
  if (source.name === target.name) throw new OperatorError('--from and --to are the same store');
  const from = await source.open();
  try {
    const to = await target.open();
    try {
      const counts = await copyStore(from.end, to.end, progress);
      const dataDir = source.dataDir ?? target.dataDir ?? config.dataDir;
      const masterKeys = requireOneMasterKey({ ...config, dataDir });
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

/** `wajah backup` */
export const backUp: ToolCommands['backUp'] = async (
  { reach, terminal, env },
  { file, plain, ...secret },
) => {
  const config = loadConfig(env);
  // A script that runs each night needs no notes.
  const progress = showProgress(
    'written',
    terminal.showsNotes ? terminal : { note: () => undefined },
    'rows',
  );
  const bytes = plain
    ? await copyPlain(config, file)
    : await backupOperations(config, version).backup(file, secret, progress.update).finally(progress.end);
  terminal.out(`Wrote ${file} (${megabytes(bytes)}).`);
  // The file is there in any case.
  await reach((perform) => operationsOf(perform).recordBackup({ bytes })).catch((error: unknown) =>
    terminal.note(`The audit trail does not say so: ${error instanceof Error ? error.message : error}`),
  );
};

/** `wajah backup verify` */
export const verifyBackup: ToolCommands['verifyBackup'] = async ({ terminal, env }, { file, ...secret }) => {
  const { head, rows } = await backupOperations(loadConfig(env), version).verify(file, secret);
  printRows(terminal, rows);
  terminal.out(`Complete: a backup of ${head.store}, schema ${head.schema}.`);
};

/** `wajah restore` */
export const restore: ToolCommands['restore'] = async ({ terminal, env }, { file, force, ...secret }) => {
  const progress = showProgress('restored', terminal, 'rows');
  const { rows, former } = await backupOperations(loadConfig(env), version)
    .restore(file, secret, force, progress.update)
    .finally(progress.end);
  printRows(terminal, rows);
  if (former !== null) terminal.note(`The former database is ${former}; delete it when you are sure.`);
  terminal.note(
    'Access tokens from before the backup may be refused: clients request new ones. API tokens are those of the backup: revoke again what was revoked since.',
  );
};

/** `wajah migrate-store` */
export const migrateStore: ToolCommands['migrateStore'] = async ({ terminal, env }, { from, to }) => {
  const copy = showProgress('copied', terminal, 'rows');
  const verify = showProgress('compared', terminal, 'rows');
  const counts = await migrate(loadConfig(env), from, to, (stage, rows, total) => {
    if (stage === 'verify') copy.end();
    (stage === 'verify' ? verify : copy).update(rows, total);
  }).finally(() => {
    copy.end();
    verify.end();
  });
  printRows(terminal, counts);
  terminal.note(
    'Both stores hold the same rows, by count and SHA-256. Move the master key by hand: see docs/operations/storage.md.',
  );
};

function printRows({ out }: Terminal, counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
  out(table(['table', 'rows'], rows));
}
