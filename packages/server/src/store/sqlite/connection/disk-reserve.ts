import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';

/** Bytes: room for the log of many erasures, each of which is checkpointed at once. */
const reserveBytes = 4 * 2 ** 20;

/** A file that keeps disk space free for erasures: on a full disk even a deletion needs room in the log. */
export class DiskReserve {
  readonly #file: string;

  /** @param database whose directory the file is in */
  constructor(database: string) {
    this.#file = `${database}-reserve`;
  }

  /** Writes the file unless it is complete. @returns false when the disk has no room for it */
  fill(): boolean {
    if (statSync(this.#file, { throwIfNoEntry: false })?.size === reserveBytes) return true;
    try {
      const descriptor = openSync(this.#file, 'w', 0o600);
      try {
        // Written, not only extended: a sparse file takes no space.
        if (writeSync(descriptor, Buffer.alloc(reserveBytes)) !== reserveBytes)
          throw new Error('short write');
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      return true;
    } catch {
      this.release();
      return false;
    }
  }

  /** Gives the space back to the disk. */
  release(): void {
    rmSync(this.#file, { force: true });
  }
}
