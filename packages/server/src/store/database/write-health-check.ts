import { randomBytes } from 'node:crypto';
import { StoreReadOnly } from '../../errors.ts';
import type { Session } from './session.ts';
import { localMetaKeys } from './tables.ts';

/** Minimum time between two test writes, milliseconds. */
const cooldownMs = 2000;

/**
 * Writes a row and deletes it: about the size of an enrolment with its crop, and incompressible. On a full disk the log
 * may still have room for one page.
 */
async function testWrite(db: Pick<Session, 'run'>): Promise<void> {
  const put = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  await db.run(put, localMetaKeys.writeTest, randomBytes(48 * 1024).toString('base64'));
  await db.run('DELETE FROM meta WHERE key = $1', localMetaKeys.writeTest);
}

/** Whether a store accepts writes: after a failed write, test writes run until one succeeds. */
export class WriteHealthCheck {
  readonly #db: () => Pick<Session, 'run'>;
  #failed = false;
  #last: Promise<unknown> | null = null;
  #nextAt = 0;

  constructor(db: () => Pick<Session, 'run'>) {
    this.#db = db;
  }

  /** Reports a write that failed because of the store, not because of what was written. */
  reportFailure(): void {
    this.#failed = true;
  }

  /** @throws StoreUnavailable while writes fail */
  async requireWritable(): Promise<void> {
    if (!this.#failed) return;
    if (this.#last === null || performance.now() >= this.#nextAt) {
      this.#last = testWrite(this.#db()).finally(() => {
        this.#nextAt = performance.now() + cooldownMs;
      });
      this.#nextAt = Number.POSITIVE_INFINITY;
    }
    const last = this.#last;
    await last;
    // A write may have failed, and another test write begun, meanwhile.
    if (this.#last !== last) return;
    this.#failed = false;
    this.#last = null;
  }
}

/** The error of a database that is read-only. */
export function readOnlyError(): StoreReadOnly {
  return new StoreReadOnly('the database takes no writes');
}
