import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { operatorEndpoints } from '@wajah/contract';
import {
  type Config,
  installStoredPacks,
  type Keys,
  keyDigest,
  keyName,
  loadConfig,
  maskDatabaseUrl,
  masterKeyCheck,
  megabytes,
  OperatorError,
  openAuditChain,
  readOwner,
  requireInstallation,
  requireKeyOfData,
  requireOneMasterKey,
  showProgress,
  type Terminal,
  type ToolCommands,
  table,
  takeDataDirectory,
  version,
} from '@wajah/server/commands';
import {
  copySigningKeys,
  createMetaStore,
  type MetaStore,
  requireNoLease,
  requireNoLoss,
  type Store,
  withOwnStore,
} from '@wajah/server/stores';
import { type ArchiveSecret, archiveSecret, readArchive, type SecretFiles, writeArchive } from './archive.ts';
import {
  type BackupContent,
  backupLines,
  onlyVerified,
  type RestoredContent,
  type Restoring,
  readBackup,
} from './store/backup-lines.ts';
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
      const write = async (...[db, schema]: Parameters<SnapshotWork<number>>) => {
        // Under any other master key the archive opens with one key, and its data with another.
        if (secret.kind === 'master') await requireKeyOfData(secret.keys, createMetaStore(db), secret.name);
        return writeArchive(resolve(file), head, secret, backupLines(db, schema, progress), verify);
      };
      return config.database
        ? withPostgresSnapshot(config.database, write)
        : withSqliteSnapshot(requireComplete(config.dataDir), write);
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
): Promise<RestoredContent & { readonly former: string | null }> {
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
    schema: head.schema,
    lines,
    force,
    requireMeta: (values) => requireKey(masterKeys, values.get(masterKeyCheck), keyName(config)),
    progress: (stage, done) => stage === 'write' && progress(done, total),
    record: (parts) => recordAct(parts, masterKeys, { operation: 'restore' }),
  };
  if (config.database) {
    return { ...(await restorePostgres(config.database, restoring)), former: null };
  }
  return withLock(config.dataDir, () => restoreSqlite(join(config.dataDir, 'wajah.db'), restoring));
}

function requireKey(masterKeys: Keys, digest: string | undefined, name: string): void {
  if (digest === undefined || masterKeys.map(keyDigest).includes(digest)) return;
  throw new OperatorError(
    `${name} is not the key that the data of the backup are sealed under; nothing was written. Keep it, and restore with the key of that time: where this key has data of its own, into another data directory, or database`,
  );
}

/** In the audit trail of the restored store. */
async function recordAct(
  { meta, audit }: Parameters<Restoring['record']>[0],
  masterKeys: Keys,
  facts: Readonly<Record<string, string | number>>,
): Promise<void> {
  const entry = { at: new Date(), event: 'administered', clientId: null, trxId: null };
  await audit.append([{ ...entry, facts }], await openAuditChain(masterKeys, meta));
}

/** Copies the embedded database into a new file while a server runs. @returns bytes */
async function copyPlain(config: Config, file: string): Promise<number> {
  if (config.database) {
    throw new OperatorError(
      'WAJAH_DATABASE_URL is set: back the database up with the tools of PostgreSQL (pg_dump, pg_basebackup)',
    );
  }
  return copyFile(requireComplete(config.dataDir), resolve(file));
}

/** @returns the database @throws OperatorError when it has lost data: the owner of the directory, if there is one, has looked */
function requireComplete(dataDir: string): string {
  const file = join(dataDir, 'wajah.db');
  if (existsSync(file) && readOwner(dataDir) === null) requireNoLoss(file);
  return file;
}

/** Called after each step of a copy with rows done and all of them. */
type CopyProgress = (stage: 'copy' | 'verify', rows: number, total: number) => void;

/**
 * Copies a store into an empty one: a backup that is restored as it is read. The target has all rows, or none.
 * @param fromPlace a data directory, a postgres:// URL, or `data` or `database` for those of the settings
 * @returns rows by table
 */
export async function migrate(
  config: Config,
  fromPlace: string,
  toPlace: string,
  progress: CopyProgress,
): Promise<Readonly<Record<string, number>>> {
  const [source, target] = [placeOf(config, fromPlace), placeOf(config, toPlace)];
  if (source.name === target.name) throw new OperatorError('--from and --to are the same store');
  const dataDir = source.dataDir ?? target.dataDir ?? config.dataDir;
  return source.read(async (snapshot, schema) => {
    const masterKeys = requireOneMasterKey({ ...config, dataDir });
    const values = createMetaStore(snapshot);
    if (masterKeys) await requireKeyOfData(masterKeys, values, keyName({ ...config, dataDir }));
    let total = 0;
    const { rows } = await target.restore({
      schema,
      lines: () =>
        backupLines(snapshot, schema, (done, all) => {
          total = all;
          progress('copy', done, all);
        }),
      force: null,
      progress: (stage, done) => stage === 'verify' && progress(stage, done, total),
      async record({ meta, audit }) {
        if (!masterKeys) return;
        const keysOf = (place: Place, meta: MetaStore) =>
          place.dataDir === null ? { meta } : { dataDir: place.dataDir };
        await copySigningKeys(masterKeys, keysOf(source, values), keysOf(target, meta));
        await recordAct({ meta, audit }, masterKeys, { operation: 'migrate-store', from: source.name });
      },
    });
    return rows;
  });
}

/** A store that is copied, or copied to. */
interface Place {
  /** Without the password. */
  readonly name: string;
  /** Null: a database. */
  readonly dataDir: string | null;
  read<T>(work: SnapshotWork<T>): Promise<T>;
  restore(restoring: Restoring): Promise<BackupContent>;
}

function placeOf(config: Config, given: string): Place {
  if (given === 'data') return directoryPlace(config.dataDir);
  if (/^postgres(ql)?:/.test(given)) return databasePlace(given);
  if (given !== 'database') return directoryPlace(resolve(given));
  if (!config.database) throw new OperatorError('database: WAJAH_DATABASE_URL is not set');
  return databasePlace(config.database.url);
}

function directoryPlace(dataDir: string): Place {
  const file = join(dataDir, 'wajah.db');
  return {
    name: dataDir,
    dataDir,
    async read(work) {
      requireInstallation(dataDir);
      return withLock(dataDir, () => withSqliteSnapshot(file, work));
    },
    restore: (restoring) => withLock(dataDir, () => restoreSqlite(file, restoring)),
  };
}

function databasePlace(url: string): Place {
  return {
    name: maskDatabaseUrl(url),
    dataDir: null,
    read: (work) =>
      withPostgresSnapshot({ url }, async (snapshot, schema) => {
        await requireNoLease(snapshot);
        return work(snapshot, schema);
      }),
    restore: (restoring) => restorePostgres({ url }, restoring),
  };
}

async function withLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const directory = await takeDataDirectory(dataDir);
  try {
    return await work();
  } finally {
    directory.release();
  }
}

/** `wajah backup` */
export const backUp: ToolCommands['backUp'] = async (
  { callAsOperator, terminal, env },
  { file: place, plain, keep, ...secret },
) => {
  const config = loadConfig(env);
  if (!config.database) requireInstallation(config.dataDir);
  const kept = keep === undefined ? null : keptBackups(resolve(place), plain ? 'db' : 'backup');
  const file = kept?.newFile ?? place;
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
  const removed = kept?.removeOlder(keep!) ?? 0;
  if (removed > 0)
    terminal.out(`Removed ${removed} older ${removed === 1 ? 'backup' : 'backups'} of ${place}.`);
  // The file is there in any case.
  await callAsOperator((call) => call(operatorEndpoints.recordBackup, { bytes }))
    .catch(() => recordWithoutServer(config, bytes))
    .catch((error: unknown) =>
      terminal.note(`The audit trail does not say so: ${error instanceof Error ? error.message : error}`),
    );
};

async function recordWithoutServer(config: Config, bytes: number): Promise<void> {
  const masterKeys = requireOneMasterKey(config);
  if (!masterKeys) throw new OperatorError('no server runs, and the master key is not here');
  const record = (store: Store) =>
    store.alone((tables) => recordAct(tables, masterKeys, { operation: 'backup', bytes }));
  await withOwnStore(config, record);
}

/**
 * Backups in a folder, by names that sort by time; nothing else of it is touched. The folder is created.
 * @param extension `backup`, or `db` of plain copies
 */
function keptBackups(folder: string, extension: string) {
  const pattern = new RegExp(`^wajah-\\d{8}T\\d{6}Z\\.${extension}$`);
  const name = `wajah-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.${extension}`;
  const refusing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new OperatorError(`--keep: ${folder} is no folder that can be written (${code})`, {
        cause: error,
      });
    }
  };
  refusing(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  return {
    newFile: join(folder, name),
    /** @param keep files that stay, the new one among them @returns how many were removed */
    removeOlder: (keep: number): number =>
      refusing(() => {
        const others = readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile() && pattern.test(entry.name) && entry.name !== name)
          .map((entry) => entry.name)
          .sort();
        const older = others.slice(0, Math.max(0, others.length - (keep - 1)));
        for (const each of older) rmSync(join(folder, each));
        return older.length;
      }),
  };
}

/** `wajah backup verify` */
export const verifyBackup: ToolCommands['verifyBackup'] = async ({ terminal, env }, { file, ...secret }) => {
  const { head, rows } = await backupOperations(loadConfig(env), version).verify(file, secret);
  printRows(terminal, rows);
  terminal.out(`Complete: a backup of ${head.store}, schema ${head.schema}.`);
};

/** `wajah restore` */
export const restore: ToolCommands['restore'] = async ({ terminal, env }, { file, force, ...secret }) => {
  const progress = showProgress('restored', terminal, 'rows');
  const config = loadConfig(env);
  const { head, rows, left, former } = await backupOperations(config, version)
    .restore(file, secret, force, progress.update)
    .finally(progress.end);
  printRows(terminal, rows);
  if (former !== null)
    terminal.note(
      `The former database is ${former}: it keeps who is erased from now on. Delete it when the restored data are right.`,
    );
  if (left.length > 0)
    terminal.note(
      `Tables of schema ${head.schema} that this version has otherwise were left out: ${left.join(', ')}.`,
    );
  const packs = await installStoredPacks(config);
  for (const line of [...packs.installed, ...packs.missing]) terminal.note(line);
  terminal.note(
    'The store is as it was when the backup was made, and does not know what was done since. People who were erased or suspended since are matched again: erase or suspend them again. Repeat also what was revoked, reset, deleted or shortened since: API tokens, passwords, clients, consents and retentions. Access tokens may be refused: clients request new ones.',
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
