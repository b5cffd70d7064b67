import Database from 'libsql';

/** How long a momentary holder (a `isTaken` of another process) is waited for. */
const busyTimeoutMs = 500;

/**
 * A lock between processes: an open exclusive transaction on an empty SQLite file. The kernel drops it when the
 * holder dies, kill -9 included, and a reused process id means nothing to it, unlike a file with a number in it.
 *
 * @NOTE Nobody may open and close the lock file by other means inside the holding process: POSIX drops all of a
 * process's locks on a file when any descriptor of it is closed. SQLite takes care of its own.
 */
export class FileLock {
  readonly #db: Database.Database;
  #held = true;

  private constructor(db: Database.Database) {
    this.#db = db;
  }

  /** @returns null when somebody else holds it */
  static tryTake(file: string): FileLock | null {
    const db = new Database(file);
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (begin(db)) return new FileLock(db);
    db.close();
    return null;
  }

  /** Asks with a shared lock, so that two who ask do not see each other. */
  static isTaken(file: string): boolean {
    const db = new Database(file);
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
