import { randomInt } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** Name of the file beside a database. */
export const markFile = (database: string) => `${database}-mark`;

/** What the file says. */
export interface Mark {
  /** Number of the opening, which the header of the database has too, as its `user_version`. */
  readonly opening: number;
  /** Of the opening before, which the header still has until the first checkpoint; 0: the database was closed. */
  readonly former: number;
  /** How many rows were ever added, as far as the disk has them: see `SqliteDatabase.addedRows`. */
  readonly rows: number;
}

/**
 * SQLite takes a log that was lost, cut, damaged or exchanged for one without those writes, and says nothing. Therefore a
 * database is marked while it is open, in its header and in a file beside it, and the file follows the number of
 * rows that the log has on the disk. A database that was closed has no mark and needs no other file.
 *
 * The file is not synchronised when it follows: after a power failure it may be behind the log, never ahead of it.
 */
export class OpeningMark {
  readonly #path: string;
  readonly #descriptor: number;
  #mark: Mark;

  /** @throws the error of the system when the file cannot be written */
  constructor(database: string, before: Pick<Mark, 'former' | 'rows'>) {
    this.#path = markFile(database);
    this.#mark = { opening: randomInt(1, 2 ** 31), ...before };
    this.#descriptor = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#write({});
    fsyncSync(this.#descriptor);
  }

  get opening(): number {
    return this.#mark.opening;
  }

  /** The header of the database has the number of the opening. */
  confirm(): void {
    this.#write({ former: this.#mark.opening });
  }

  /** @param rows as in `Mark` */
  follow(rows: number): void {
    if (rows > this.#mark.rows) this.#write({ rows });
  }

  /** @param isComplete the database was closed, and has everything itself */
  end(isComplete: boolean): void {
    closeSync(this.#descriptor);
    if (isComplete) rmSync(this.#path, { force: true });
  }

  /** In place and of one length: a reader finds the former content, or this one. */
  #write(changed: Partial<Mark>): void {
    this.#mark = { ...this.#mark, ...changed };
    const { opening, former, rows } = this.#mark;
    writeSync(
      this.#descriptor,
      `${[opening, former, rows].map((one) => `${one}`.padStart(16)).join('')}\n`,
      0,
    );
  }
}

/** @returns null when there is none, or it was cut */
export function readMark(database: string): Mark | null {
  try {
    const found = /^ *(\d+) +(\d+) +(\d+)\n$/.exec(readFileSync(markFile(database), 'latin1'));
    const [opening = 0, former = 0, rows = 0] = found?.slice(1).map(Number) ?? [];
    return found ? { opening, former, rows } : null;
  } catch {
    return null;
  }
}
