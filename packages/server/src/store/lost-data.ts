import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { openingFault } from './database/opening-fault.ts';
import { readMark } from './database/opening-mark.ts';
import { SqliteDatabase } from './database/sqlite.ts';
import { metaValue } from './database/sqlite-migrations.ts';

/** What a data directory has lost. */
export interface Loss {
  /** What is missing, and what to do. */
  readonly found: string;
  /** Whether to go on without it. */
  readonly question: string;
  /** Goes on without it. Nothing is deleted: what does not belong to the rest is moved away. */
  accept(): void;
}

/** @throws OperatorError when something is lost, see `findLoss` */
export function requireNoLoss(file: string): void {
  const loss = findLoss(file);
  if (loss) throw new OperatorError(loss.found);
}

/**
 * Looks for what is missing beside or in a database, which this process does not have open. Nothing is changed.
 * @param file the database of a data directory
 * @throws OperatorError when it cannot be read
 */
export const findLoss = (file: string): Loss | null => findLostDatabase(file) ?? findLostLog(file);

/** A database that is missing beside what it leaves, or has nothing of what the keys were made for. */
function findLostDatabase(file: string): Loss | null {
  const [folder, name] = [dirname(file), basename(file)];
  const left = ['secret.key', 'signing-key.json', `${name}-mark`, `${name}-shm`, `${name}-wal`].filter(
    (one) => existsSync(join(folder, one)),
  );
  const state = left.length === 0 ? null : stateOf(file, left);
  if (state === null) return null;
  return {
    found: `${name} is ${state} beside ${left.join(', ')} in ${folder}: put the same file back, with the others of its time, or restore a backup (\`wajah restore\`); for a new installation move these files away`,
    question: 'Start anew, with nobody enrolled?',
    accept: () => moveAway(folder, (one) => left.includes(one) || one === name || one.startsWith(`${name}-`)),
  };
}

/** The first start makes the tables, then the master key and its digest, then the other key. */
function stateOf(file: string, left: readonly string[]): string | null {
  if (!existsSync(file)) return 'missing';
  if (sizeOf(file) === 0) return 'empty';
  const [hasKey, hasSigningKey] = [left.includes('secret.key'), left.includes('signing-key.json')];
  const isLost = (db: SqliteDatabase) =>
    metaValue(db, 'master_key_check') === null &&
    (hasSigningKey || db.get('SELECT 1 FROM sqlite_master') === undefined);
  return (hasKey || hasSigningKey) && looking(file, isLost) ? 'new, or without its log,' : null;
}

/** A log that is missing, cut, damaged or of another time: see `OpeningMark`. */
function findLostLog(file: string): Loss | null {
  const [folder, name] = [dirname(file), basename(file)];
  const [opening, mark, hasLog] = [openingOf(file), readMark(file), sizeOf(`${file}-wal`) > 0];
  // Closed, a copy of `backup --plain`, restored, or of an earlier version: complete by itself.
  if (opening === 0 && !(hasLog && mark && mark.former !== 0)) return null;
  const isForeign = mark !== null && opening !== mark.opening && opening !== mark.former;
  const lost = isForeign || mark === null ? 0 : mark.rows - looking(file, (db) => db.addedRows());
  if (mark !== null && !isForeign && lost <= 0) return null;
  const what =
    mark === null
      ? `${name}-mark is missing or cut, which tells whether ${name}-wal is complete`
      : isForeign
        ? `${name} is of another time than ${name}-mark and ${name}-wal`
        : `${name}-wal is ${hasLog ? 'cut, damaged or of another time' : 'missing'}: what was written last is lost, ${lost} rows`;
  return {
    found: `${what}. In ${folder} put ${name}, ${name}-wal and ${name}-mark of one time back, or restore a backup (\`wajah restore\`); \`wajah serve\` on a terminal asks whether to go on without`,
    question: 'Go on with what is there?',
    accept() {
      moveAway(folder, (one) => one === `${name}-mark` || (isForeign && /-(wal|shm)$/.test(one)));
      const db = new SqliteDatabase(file);
      db.all('PRAGMA user_version = 0');
      db.close();
    },
  };
}

/** Into a folder of its own. */
function moveAway(folder: string, isMoved: (name: string) => boolean): void {
  const place = join(folder, `lost-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(place, { mode: 0o700 });
  for (const name of readdirSync(folder).filter(isMoved)) renameSync(join(folder, name), join(place, name));
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * The number of the opening in a database, as `Mark`; 0: none. Not read as a file: closing one takes away all locks of
 * this process on it, and the driver closes its own late; then the next program that looks deletes the log.
 */
export function openingOf(file: string): number {
  if (sizeOf(file) === 0) return 0;
  const read = (db: SqliteDatabase) => db.get<{ user_version: number }>('PRAGMA user_version');
  return looking(file, read, 'file')?.user_version ?? 0;
}

function looking<T>(file: string, look: (db: SqliteDatabase) => T, access: 'read' | 'file' = 'read'): T {
  let db: SqliteDatabase | undefined;
  try {
    db = new SqliteDatabase(file, undefined, access);
    return look(db);
  } catch (error) {
    throw openingFault(file, error);
  } finally {
    db?.close();
  }
}
