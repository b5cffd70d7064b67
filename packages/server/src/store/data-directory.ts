import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { defaultDataDir } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { loadDriver } from './database/driver.ts';
import { FileLock } from './database/file-lock.ts';

/** Owner of a data directory, as in `<data>/owner.json`. */
interface DataDirectoryOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** As `identityOf`: a copy of the directory has no owner yet. */
  readonly directory: string;
  /** Of the server, without a final slash; absent while it does not listen. */
  readonly url?: string;
  /** Of its settings; null: none. */
  readonly publicUrl?: string | null;
}

/** A data directory that this process owns until `release` or its end. */
export interface LockedDataDirectory {
  readonly path: string;
  /** Adds to `owner.json`. */
  publish(info: Pick<DataDirectoryOwner, 'url' | 'publicUrl'>): void;
  /** Releases the lock; idempotent. */
  release(): void;
}

/**
 * Creates the directory (mode 0700) if it does not exist, and locks it for this process. The kernel releases the lock
 * when the process ends in any way; `owner.json` only describes the owner.
 * @throws OperatorError when another process owns it, or it cannot be created or written
 */
export function lockDataDirectory(path: string): LockedDataDirectory {
  prepareDirectory(path);
  const lock = takeLock(path);
  const since = new Date().toISOString();
  let owner: DataDirectoryOwner = { pid: process.pid, host: hostname(), since, directory: identityOf(path) };
  writeFirstOwner(path, owner, lock);
  return {
    path,
    publish(info) {
      owner = { ...owner, ...info };
      writeOwner(path, owner);
    },
    release() {
      if (!lock.held) return;
      rmSync(ownerFile(path), { force: true });
      lock.release();
    },
  };
}

/**
 * Locks the directory for work on its store: as `lockDataDirectory`, which a server does not notice whose `lock.db` was
 * deleted.
 * @throws OperatorError also when a server answers at the socket of the directory
 */
export async function takeDataDirectory(path: string): Promise<LockedDataDirectory> {
  if (!isLocked(path) && (await connectToOwner(path))) {
    throw new OperatorError(
      `WAJAH_DATA_DIR: ${path} is used by ${ownerText(path)}, although its lock.db was deleted; stop that one`,
    );
  }
  return lockDataDirectory(path);
}

/** The socket on which the app of a data directory listens for the operator. */
export const socketFile = (path: string) => join(path, 'operator.sock');

/** Longest path of a Unix socket in bytes, without the final zero: 107 on Linux, 103 on macOS. */
const maxPathBytes = 103;

/**
 * A path of the operator's socket that is short enough for one: where that of the data directory is too long, over a link
 * to the directory in a new temporary one that only this user can enter.
 * @returns `release` removes the temporary directory
 */
export function shortSocketPath(path: string): { readonly path: string; release(): void } {
  if (Buffer.byteLength(socketFile(path)) <= maxPathBytes)
    return { path: socketFile(path), release: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'wajah-'));
  symlinkSync(resolve(path), join(folder, 'data'));
  return {
    path: socketFile(join(folder, 'data')),
    release: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Connects to the app that owns a data directory.
 * @returns the path for further connections until `release`; null: nobody listens
 * @throws OperatorError when the socket may be somebody else's, or cannot be reached
 */
export async function connectToOwner(path: string): Promise<ReturnType<typeof shortSocketPath> | null> {
  const found = lstatSync(socketFile(path), { throwIfNoEntry: false });
  if (!found) return null;
  const reason = foreignSocket(path, found);
  if (reason !== null) throw new OperatorError(`WAJAH_DATA_DIR: ${reason}; nothing was sent to it`);
  const short = shortSocketPath(path);
  const socket = connect(short.path);
  try {
    await once(socket, 'connect');
    return short;
  } catch (error) {
    short.release();
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw new OperatorError(
      `The running server cannot be reached at ${socketFile(path)} (${code}); run this command as the user who runs the server`,
    );
  } finally {
    socket.destroy();
  }
}

/**
 * Whoever listens on the socket is sent passwords and keys: the owner of the directory, or root. Only they can replace it,
 * since nobody else may write in the directory.
 * @returns what is wrong, and what to do; null: nothing
 */
function foreignSocket(path: string, socket: Pick<Stats, 'uid' | 'isSocket'>): string | null {
  const me = process.getuid?.();
  if (me === undefined) return null;
  const file = socketFile(path);
  if (!socket.isSocket()) return `${file} is no socket of a server; remove it`;
  const owner = statSync(path).uid;
  const trusted = [0, me === 0 ? owner : me];
  if (!trusted.includes(owner) || !trusted.includes(socket.uid))
    return `${file} belongs to user ${socket.uid} and its directory to ${owner}; run this command as the user who runs the server, and remove a socket that is not that user's`;
  return otherWriters(path);
}

/** The database of a data directory. */
export const databaseFile = (path: string) => join(path, 'wajah.db');

/** Whether a server has been started on the directory. */
export function isInstallation(path: string): boolean {
  const file = databaseFile(path);
  return existsSync(file) && statSync(file).size > 0;
}

/**
 * Commands work on an installation that is there: a wrong directory would silently become another one, with keys of its
 * own.
 * @throws OperatorError that names installations which are known
 */
export function requireInstallation(path: string): void {
  if (isInstallation(path)) return;
  const denied = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? denial(path) : null;
  if (denied !== null) throw new OperatorError(`WAJAH_DATA_DIR: ${denied}`);
  const others = otherInstallations();
  const known = others
    ? `; there is one in ${others}: set WAJAH_DATA_DIR to that of your server`
    : ', and only `wajah serve` makes one; name the data directory of the server (WAJAH_DATA_DIR)';
  throw new OperatorError(`${path} holds no installation${known}`);
}

/** What the first start says of the installation that it makes; null: there is one. */
export function newInstallationNotice(path: string): string | null {
  if (isInstallation(path)) return null;
  const others = otherInstallations();
  const known = others ? `. There is another one in ${others}` : '';
  return `New installation, with keys of its own, in ${path} (WAJAH_DATA_DIR)${known}.`;
}

/** Where a directory holds no installation: that by default, and those of running servers. Empty: none is known. */
export function otherInstallations(): string {
  const usual = defaultDataDir();
  const others = new Map(servedDirectories().map((it) => [it, `${it}, of a running server`]));
  if (isInstallation(usual)) others.set(usual, `${usual}, the default`);
  return [...others.values()].join(', and in ');
}

/** Data directories whose servers listen for the operator, of those that this user can see; on Linux only. */
function servedDirectories(): string[] {
  const list = '/proc/net/unix';
  const sockets = existsSync(list) ? readFileSync(list, 'utf8') : '';
  const found = [...sockets.matchAll(/ (\/.+)\/(?:operator|o\d+)\.sock$/gm)].map(
    ([, directory = '']) => directory,
  );
  return found.filter(isInstallation);
}

/** @returns the present owner of the directory; null: none */
export function readOwner(path: string): DataDirectoryOwner | null {
  if (!isLocked(path)) return null;
  return parseOwner(path);
}

/** Creates the directory (mode 0700) if it does not exist. @throws OperatorError when it cannot be created */
export function createDirectory(path: string): void {
  try {
    // Resets permissions that the umask has removed; created parents keep theirs.
    if (createMissing(path)) chmodSync(path, 0o700);
  } catch (error) {
    throw new OperatorError(`WAJAH_DATA_DIR: ${path} cannot be created (${codeOf(error)}); name a directory`);
  }
}

/**
 * Node's `recursive` option never returns where a parent accepts no entries, for example below /proc.
 * @returns whether the directory was created
 */
export function createMissing(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (dirname(path) !== path) createMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process may have created it meanwhile.
    if (codeOf(error) === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw error;
  }
}

/** Creates the directory if it does not exist. @throws OperatorError when it cannot be used */
export function prepareDirectory(path: string): void {
  createDirectory(path);
  const reason = denial(path) ?? otherWriters(path);
  if (reason !== null) throw new OperatorError(`WAJAH_DATA_DIR: ${reason}`);
}

/** Why this user cannot work in a directory, and what to do; null: it can. */
export function denial(path: string): string | null {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    if (codeOf(error) === 'EROFS')
      return `${path} is on a file system that is mounted read-only; remount it, or name a copy of the directory (cp -a) on another one`;
    const { uid, mode } = statSync(path);
    return `user ${process.getuid?.()} may not write ${path} (owner ${uid}, mode ${(mode & 0o777).toString(8)}); run as its owner, or chown it`;
  }
}

/**
 * Whoever may write in the directory may put another database in place. As PostgreSQL and OpenSSH, Wajah does not ask who
 * is in a group.
 * @returns who may besides its owner, and what to do; null: nobody
 */
export function otherWriters(path: string): string | null {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o022) === 0) return null;
  const who = (mode & 0o002) === 0 ? 'its group' : 'every user of this machine';
  return `${path} has mode ${mode.toString(8)}, so ${who} can write in it; run chmod 700 on it, as its owner, or name a folder in it, which is made with mode 700 (a volume that a platform gives to a group)`;
}

function takeLock(path: string): FileLock {
  // What is missing of the program is no fault of the directory.
  loadDriver();
  let lock: FileLock | null;
  try {
    lock = FileLock.tryTake(lockFile(path));
  } catch (error) {
    throw new OperatorError(
      `WAJAH_DATA_DIR: ${path} cannot be locked (${codeOf(error)}); ${remedyFor(error)}`,
    );
  }
  if (lock) return lock;
  throw new OperatorError(
    `WAJAH_DATA_DIR: ${path} is owned by ${ownerText(path)}; stop it or choose another directory`,
  );
}

function ownerText(path: string): string {
  const owner = parseOwner(path);
  return owner ? `process ${owner.pid} on ${owner.host} since ${owner.since}` : 'another process';
}

function isLocked(path: string): boolean {
  if (!existsSync(lockFile(path))) return false;
  return FileLock.isTaken(lockFile(path));
}

function parseOwner(path: string): DataDirectoryOwner | null {
  try {
    const owner = JSON.parse(readFileSync(ownerFile(path), 'utf8')) as Partial<DataDirectoryOwner>;
    const { pid, host, since } = owner;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return null;
    const directory = identityOf(path);
    return owner.directory === directory ? { ...owner, pid, host, since, directory } : null;
  } catch {
    return null;
  }
}

/** Device and inode, which a copy of the directory does not share. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}

function writeFirstOwner(path: string, owner: DataDirectoryOwner, lock: FileLock): void {
  try {
    writeOwner(path, owner);
  } catch (error) {
    lock.release();
    throw new OperatorError(
      `WAJAH_DATA_DIR: ${path} cannot be written (${codeOf(error)}); ${remedyFor(error)}`,
    );
  }
}

function remedyFor(error: unknown): string {
  const isFull = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error));
  return isFull ? 'the disk is full: make room' : 'is it writable?';
}

/** Writes a temporary file and renames it, so that readers never see a partial one. */
function writeOwner(path: string, owner: DataDirectoryOwner): void {
  const draft = `${ownerFile(path)}.new`;
  writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  renameSync(draft, ownerFile(path));
}

function lockFile(path: string): string {
  return join(path, 'lock.db');
}

function ownerFile(path: string): string {
  return join(path, 'owner.json');
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && code !== '' ? code : 'cannot be opened';
}
