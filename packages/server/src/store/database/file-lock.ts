import type Database from 'libsql';
import { openWithDriver } from './driver.ts';

/** Wait for the short lock of an `isTaken` in another process, milliseconds. */
const busyTimeoutMs = 500;

/**
 * A lock between processes: an open exclusive transaction on an empty SQLite file. The kernel releases it when the
 * holder ends, also by SIGKILL; unlike a PID file it is not affected by reused process ids.
 *
 * @NOTE The holding process must not open and close the lock file by other means: POSIX releases all locks of a
 * process on a file when it closes any descriptor of it. SQLite handles this for its own descriptors.
 */
export class FileLock {
  readonly #db: Database.Database;
  #held = true;

  private constructor(db: Database.Database) {
    this.#db = db;
  }

  /** @returns null when another process holds it */
  static tryTake(file: string): FileLock | null {
    const db = openWithDriver(file);
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (begin(db)) return new FileLock(db);
    db.close();
    return null;
  }

  /** Takes a shared lock for the check, so that concurrent checks do not see each other. */
  static isTaken(file: string): boolean {
    const db = openWithDriver(file);
    try {
      db.prepare('SELECT count(*) FROM sqlite_master').all();
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      db.close();
    }
  }

  get held(): boolean {
    return this.#held;
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

function begin(db: Database.Database): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'SQLITE_BUSY';
}
