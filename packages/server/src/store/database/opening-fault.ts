import { basename } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { findDamage } from './integrity.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Why a database cannot be used, and what to do. */
export function openingFault(file: string, error: unknown): OperatorError {
  return new OperatorError(`${basename(file)} of the data directory: ${reasonOf(error)}`, { cause: error });
}

/** @throws OperatorError when `PRAGMA quick_check` finds a fault */
export function requireIntact(db: SqliteDatabase): void {
  const damage = findDamage(db);
  if (damage !== null) throw new OperatorError(`the file is damaged (${damage}); ${restore}`);
}

const restore =
  'restore it from a backup, without the -wal and -shm files of the former one, or move it away to start empty';

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'SQLITE_NOTADB') return `the file is not a database, or its header is damaged; ${restore}`;
  if (typeof code === 'string' && code.startsWith('SQLITE_CORRUPT')) return `the file is damaged; ${restore}`;
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE' || code === 'ENOSPC')
    return 'the disk is full: make room';
  if (code === 'SQLITE_CANTOPEN')
    return 'it cannot be opened: this user may not, or the file system is mounted read-only; run as its owner, or name a copy of the data directory (cp -a)';
  if (code === 'SQLITE_BUSY') return 'another program holds the file; stop it';
  return `it cannot be opened (${typeof code === 'string' && code !== '' ? code : String(message)})`;
}
