import { statSync } from 'node:fs';
import { StoreUnavailable } from '../../../errors.ts';

/**
 * The file of an open database, to notice when another one, or none, has its name: what is written then would be
 * acknowledged and gone with the process. By its number, as SQLite itself does where it does; it does not with a log.
 */
export class InodeGuard {
  readonly #file: string;
  readonly #number: string;

  /** @param file of a database that is open */
  constructor(file: string) {
    this.#file = file;
    this.#number = numberOf(file);
  }

  /** Some microseconds. @throws StoreUnavailable when the open file has not its name any more */
  requireUnchanged(): void {
    if (numberOf(this.#file) === this.#number) return;
    throw new StoreUnavailable(
      'the file of the store was removed or replaced while the server runs; it has to be started anew',
    );
  }
}

function numberOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : 'none';
}
