import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError, syncPath } from '@wajah/server/commands';
import { findDamage, requireKnown, SqliteDatabase } from '@wajah/server/stores';

/**
 * Copies a snapshot of the database into a new file (mode 0600), while others may write to it. The copy is rewritten
 * (VACUUM INTO), so it contains no erased data. The file gets its name when it is complete and durable.
 * @param file the database
 * @param target must not exist
 * @returns bytes of the copy
 * @throws OperatorError when there is no database, a newer version has written it, the target exists or cannot be written
 */
export function backUp(file: string, target: string): number {
  if (!existsSync(file)) throw new OperatorError(`${file} does not exist: there is nothing to back up`);
  if (existsSync(target)) throw new OperatorError(`${target} exists already; name a new file`);
  const draft = `${target}.part`;
  try {
    // Created first, so that it has its mode before it has content.
    removeDraft(draft);
    closeSync(openSync(draft, 'wx', 0o600));
    const db = new SqliteDatabase(file);
    try {
      requireKnown(db);
      db.all('VACUUM INTO ?', draft);
    } finally {
      db.close();
    }
    finishCopy(draft);
    syncPath(draft);
    renameSync(draft, target);
    syncPath(dirname(target));
  } catch (error) {
    removeDraft(draft);
    if (error instanceof OperatorError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${target} cannot be written (${code ?? message})`, { cause: error });
  }
  return statSync(target).size;
}

/** A killed command may leave a log, which would be taken for one of the next draft. */
function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
}

/** All on one connection: the driver keeps a file locked until the statements of a closed one are collected. */
function finishCopy(file: string): void {
  const db = new SqliteDatabase(file);
  try {
    const damage = findDamage(db);
    if (damage !== null) throw new OperatorError(`the copy is damaged (${damage})`);
    // Without WAL mode the copy is a single file, and nobody has it open.
    db.all('PRAGMA journal_mode = DELETE');
    db.all('PRAGMA user_version = 0');
  } finally {
    db.close();
  }
}
