import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { FileLock } from './sqlite/connection/file-lock.ts';

/** Who holds a data directory, as `<data>/owner.json` says it. */
interface DataDirectoryOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** Where the owner listens for the operator's commands; absent while it does not. */
  readonly adminSocket?: string;
}

/** A data directory that this process owns until it releases it or dies. */
export interface LockedDataDirectory {
  readonly path: string;
  /** Adds to what other processes read about the owner. */
  publish(info: { adminSocket: string }): void;
  /** Lets others own the directory; idempotent. */
  release(): void;
}

/**
 * Makes the directory (mode 0700) where it is missing and takes it for this process.
 * The lock is the kernel's, so it ends with the process however that ends; `owner.json` only names the owner.
 * @throws OperatorError when another process owns it, or it cannot be made or written
 */
export function lockDataDirectory(path: string): LockedDataDirectory {
  makeDirectory(path);
  const lock = takeLock(path);
  let owner: DataDirectoryOwner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  sayOwner(path, owner, lock);
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

/** @returns who owns the directory now; null when nobody does */
export function readOwner(path: string): DataDirectoryOwner | null {
  if (!isLocked(path)) return null;
  return parseOwner(path);
}

function makeDirectory(path: string): void {
  try {
    // The umask may only have taken rights away; missing parents keep them, the directory itself is private.
    if (makeMissing(path)) chmodSync(path, 0o700);
  } catch (error) {
    throw new OperatorError(`WAJAH_DATA_DIR: ${path} cannot be made (${codeOf(error)}); name a directory`);
  }
}

/**
 * Node's own `recursive` never ends where a parent exists but takes no children (below /proc, say).
 * @returns whether the directory was missing
 */
function makeMissing(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (dirname(path) !== path) makeMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process may have been faster.
    if (codeOf(error) === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw error;
  }
}

function takeLock(path: string): FileLock {
  let lock: FileLock | null;
  try {
    lock = FileLock.tryTake(lockFile(path));
  } catch (error) {
    throw new OperatorError(
      `WAJAH_DATA_DIR: ${path} cannot be locked (${codeOf(error)}); ${remedyFor(error)}`,
    );
  }
  if (lock) return lock;
  const owner = parseOwner(path);
  const by = owner
    ? `process ${owner.pid} on ${owner.host} since ${owner.since}`
    : 'another process that is just starting';
  throw new OperatorError(`WAJAH_DATA_DIR: ${path} is owned by ${by}; stop it or choose another directory`);
}

function isLocked(path: string): boolean {
  if (!statSync(lockFile(path), { throwIfNoEntry: false })) return false;
  return FileLock.isTaken(lockFile(path));
}

function parseOwner(path: string): DataDirectoryOwner | null {
  try {
    const owner = JSON.parse(readFileSync(ownerFile(path), 'utf8')) as Partial<DataDirectoryOwner>;
    const { pid, host, since } = owner;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return null;
    return { ...owner, pid, host, since };
  } catch {
    return null;
  }
}

function sayOwner(path: string, owner: DataDirectoryOwner, lock: FileLock): void {
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

/** Written whole under another name first, so that no reader sees half of it. */
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
