import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { findMasterKeys, keyDigest } from '../security/keys/master-key.ts';
import { readOwner } from '../store/data-directory.ts';
import { inspectSqlite } from '../store/sqlite-store.ts';
import { checkContents, checkSchema } from './contents.ts';
import { checkDisk, checkFileSystem } from './disk.ts';
import { attempt, bad, type DoctorFinding, doubtful, good } from './findings.ts';

const what = 'data directory';

/** The data directory, its owner, its disk, and the embedded database and key in it. */
export async function checkDataDirectory(config: Config): Promise<DoctorFinding[]> {
  const { dataDir } = config;
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (!stat) {
    const parent = nearestFolder(dirname(dataDir));
    const denied = denial(parent);
    const file = checkFileSystem(parent);
    if (denied) return [bad(what, `${dataDir} does not exist, and ${denied}`), ...file];
    return [good(what, `${dataDir}: does not exist yet; the first start creates it`), ...file];
  }
  if (!stat.isDirectory()) return [bad(what, `${dataDir} is no directory; WAJAH_DATA_DIR names one`)];
  const denied = denial(dataDir);
  if (denied) return [bad(what, denied)];
  const owner = readOwner(dataDir);
  const file = join(dataDir, 'wajah.db');
  return [
    checkMode(what, dataDir),
    ...checkUsers(dataDir, stat.uid),
    ...checkFileSystem(dataDir),
    good(
      'owner',
      owner ? `process ${owner.pid} on ${owner.host} since ${owner.since}` : 'nobody: no server runs',
    ),
    ...(owner === null ? checkRestore(file) : []),
    ...(existsSync(file) ? await checkFile(config, file) : checkLeftovers(config)),
  ];
}

/** Why this user cannot work in a directory, and what to do; null: it can. */
function denial(path: string): string | null {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return `${path} is on a file system that is mounted read-only; remount it, or choose another WAJAH_DATA_DIR`;
    const { uid, mode } = statSync(path);
    return `user ${process.getuid?.()} may not write ${path} (owner ${uid}, mode ${(mode & 0o777).toString(8)}); run as its owner, or chown it`;
  }
}

/** Files of another user, as a command that root ran leaves them: the server cannot open them. */
function checkUsers(dataDir: string, uid: number): DoctorFinding[] {
  const files = readdirSync(dataDir).filter((name) => {
    const stat = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return stat !== undefined && stat.uid !== uid;
  });
  const findings: DoctorFinding[] = [];
  if (files.length > 0) {
    const remedy = `chown -R ${uid} ${dataDir}`;
    findings.push(
      bad('users', `${files.join(', ')} belong to another user than ${dataDir} (${uid}); ${remedy}`),
    );
  }
  const self = process.getuid?.() ?? uid;
  if (self === 0 && uid !== 0) {
    findings.push(
      doubtful(
        'users',
        `root runs this command, ${dataDir} belongs to user ${uid}: files that root creates there stop the server; run commands as that user`,
      ),
    );
  }
  return findings;
}

/** What a killed `wajah restore` leaves: the database is still the former one. */
function checkRestore(file: string): DoctorFinding[] {
  const draft = `${file}.restoring`;
  if (!existsSync(draft)) return [];
  const state = existsSync(file) ? 'the database is the former one' : 'there is no database';
  return [
    bad(
      'restore',
      `${draft} is of a restore that was interrupted, and ${state}; run \`wajah restore\` again, or delete it`,
    ),
  ];
}

/** A directory whose database is missing although it had one. */
function checkLeftovers({ dataDir }: Config): DoctorFinding[] {
  const left = ['wajah.db-wal', 'signing-key.json'].filter((name) => existsSync(join(dataDir, name)));
  if (left.length === 0) return [];
  return [
    bad(
      'database',
      `wajah.db is missing beside ${left.join(', ')}: a restore was interrupted, or the file was moved; put the backup in place, or move these files away to start empty`,
    ),
  ];
}

async function checkFile(config: Config, file: string): Promise<DoctorFinding[]> {
  // First: on a full disk the database does not open.
  const disk = checkDisk(config.dataDir, statSync(file).size);
  return [disk, ...(await attempt('database', () => checkDatabaseFile(config, file)))];
}

async function checkDatabaseFile(config: Config, file: string): Promise<DoctorFinding[]> {
  const facts = await inspectSqlite(file);
  const { contents } = facts;
  return [
    facts.damage === null
      ? good('database', 'sound')
      : bad(
          'database',
          `damaged: ${facts.damage}; stop the server and restore a backup (docs/operations/backup.md)`,
        ),
    checkSchema(facts),
    checkKey(config, contents?.keyCheck ?? null),
    ...(contents ? await checkContents(contents, config) : []),
  ];
}

function checkKey(config: Config, check: string | null): DoctorFinding {
  let found: ReturnType<typeof findMasterKeys>;
  try {
    found = findMasterKeys(config);
  } catch (error) {
    return bad('key', error instanceof Error ? error.message : String(error));
  }
  if (found === null)
    return check
      ? bad('key', 'missing, but the data are sealed under one; restore secret.key, or set WAJAH_SECRET_KEY')
      : good('key', 'none yet');
  if (check !== null && !found.map(keyDigest).includes(check))
    return bad(
      'key',
      'not the key that the data are sealed under; restore the secret.key that belongs to this database',
    );
  const file = join(config.dataDir, 'secret.key');
  return existsSync(file)
    ? checkMode('key', file)
    : good('key', 'WAJAH_SECRET_KEY, the key that the data are sealed under');
}

function checkMode(title: string, path: string): DoctorFinding {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return good(title, path);
  return doubtful(
    title,
    `${path} is accessible to other users (mode ${mode.toString(8)}); restrict it with chmod go-rwx`,
  );
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
