import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ofFileSystem } from '../../config/file-system.ts';
import { attempt, bad, doubtful, type Finding, good, refused } from '../../config/finding.ts';
import { damagedDatabase } from '../../config/findings.ts';
import { shellQuoted } from '../../config/shell.ts';
import { checkSigningKeys } from '../../security/keys/signing-keys.ts';
import {
  databaseFile,
  denial,
  isInstallation,
  otherInstallations,
  otherWriters,
  readOwner,
} from '../../store/data-directory.ts';
import { findLoss } from '../../store/lost-data.ts';
import { inspectSqlite } from '../../store/sqlite-store.ts';
import { checkKey, checkStore } from './contents.ts';

const dataDirectory = 'data_directory';

/** The data directory, its owner, its disk, and the embedded database and key in it. */
export async function checkDataDirectory(config: Config): Promise<Finding[]> {
  const { dataDir } = config;
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (!stat) {
    const parent = nearestFolder(dirname(dataDir));
    const denied = denial(parent);
    return [
      denied ? refused(dataDirectory, `${dataDir} does not exist, and ${denied}`) : checkNew(dataDir),
      ...ofFileSystem(parent),
    ];
  }
  if (!stat.isDirectory())
    return [bad(dataDirectory, `${dataDir} is no directory`, 'set WAJAH_DATA_DIR to one')];
  const denied = denial(dataDir);
  if (denied) return [refused(dataDirectory, denied)];
  const file = databaseFile(dataDir);
  return [
    checkMode(dataDir, stat.mode),
    ...checkUsers(dataDir, stat.uid),
    ...ofFileSystem(dataDir),
    // A command that restores at this moment owns the directory.
    ...(readOwner(dataDir) === null ? checkRestore(file) : []),
    ...checkReplaced(dataDir),
    ...(await attempt('signing_key', async () => {
      await checkSigningKeys(dataDir);
      return [];
    })),
    ...(await attempt('database', () => checkContents(config, file))),
  ];
}

/** A directory without an installation may be the wrong one. */
function checkNew(dataDir: string): Finding {
  const found = `${dataDir} holds no installation`;
  const others = otherInstallations();
  if (others === '') return good(dataDirectory, `${found} yet; the first start makes one`);
  return doubtful(
    dataDirectory,
    `${found}; there is one in ${others}`,
    'set WAJAH_DATA_DIR to that of your server',
  );
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function checkMode(path: string, mode: number): Finding {
  const writers = otherWriters(path);
  if (writers !== null) return refused(dataDirectory, writers);
  if ((mode & 0o077) === 0) return good(dataDirectory, path);
  return doubtful(
    dataDirectory,
    `${path} is accessible to other users (mode ${(mode & 0o777).toString(8)})`,
    'restrict it with chmod go-rwx',
  );
}

/** Files of another user, as a command that root ran leaves them: the server cannot open them. */
function checkUsers(dataDir: string, uid: number): Finding[] {
  const files = readdirSync(dataDir).filter((name) => {
    const stat = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return stat !== undefined && stat.uid !== uid;
  });
  if (files.length > 0) {
    const found = `${files.join(', ')} belong to another user than ${dataDir} (${uid})`;
    return [bad('users', found, `chown -R ${uid} ${shellQuoted(dataDir)}`)];
  }
  if (process.getuid?.() !== 0 || uid === 0) return [];
  return [
    doubtful(
      'users',
      `root runs this command, ${dataDir} belongs to user ${uid}: files that root creates there stop the server`,
      'run commands as that user',
    ),
  ];
}

/** What a killed `wajah restore` leaves: the database is still the former one. */
function checkRestore(file: string): Finding[] {
  const draft = `${file}.restoring`;
  if (!existsSync(draft)) return [];
  const state = existsSync(file) ? 'the database is the former one' : 'there is no database';
  return [
    bad(
      'restore',
      `${draft} is of a restore that was interrupted, and ${state}`,
      'run `wajah restore` again, or delete it',
    ),
  ];
}

/** Databases that restores have replaced. */
function checkReplaced(dataDir: string): Finding[] {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('wajah.db.before-restore-'));
  if (files.length === 0) return [];
  const found = `${files.join(', ')} in ${dataDir}: what a restore has replaced, also people who were erased since`;
  return [doubtful('restore', found, 'delete it when the restored data are right')];
}

/** As the start does; the owner of the directory has done it. */
async function checkContents(config: Config, file: string): Promise<Finding[]> {
  const loss = readOwner(config.dataDir) === null ? findLoss(file) : null;
  if (loss) return [refused('database', loss.found)];
  return isInstallation(config.dataDir)
    ? checkFile(config, file)
    : [checkNew(config.dataDir), checkKey(config, null)];
}

async function checkFile(config: Config, file: string): Promise<Finding[]> {
  // First: on a full disk the database does not open.
  const disk = checkDisk(config.dataDir, statSync(file).size);
  return [disk, ...(await attempt('database', () => checkDatabase(config, file)))];
}

async function checkDatabase(config: Config, path: string): Promise<Finding[]> {
  const facts = await inspectSqlite(path);
  const file = facts.damage === null ? good('database', 'sound') : damagedDatabase(facts.damage);
  return [file, ...checkStore(facts, config)];
}

/** A start, its log and a test write need so much. */
const leastBytes = 64 * 2 ** 20;

/** @param size of the database, bytes */
function checkDisk(path: string, size: number): Finding {
  const { bavail, bsize, files, ffree } = statfsSync(path);
  const free = bavail * bsize;
  const space = `${(size / 1e6).toFixed(1)} MB, ${(free / 1e9).toFixed(1)} GB free`;
  if (free < leastBytes || (files > 0 && ffree === 0)) {
    return bad('disk', `full (${space}): nothing is stored`, 'make room, or move the data directory');
  }
  return free < 2 * size + 1e9
    ? doubtful('disk', `${space}; a backup or an upgrade may not fit`, 'make room')
    : good('disk', space);
}
