import { randomBytes } from 'node:crypto';
import { StoreReadOnly } from '../../errors.ts';

/** Minimum time between two test writes, milliseconds. */
const cooldownMs = 2000;

/** Value of a test write: about the size of an enrolment with its crop, and incompressible. */
export function testValue(): string {
  return randomBytes(48 * 1024).toString('base64');
}

/** Whether a store accepts writes: after a failed write, test writes run until one succeeds. */
export class WriteHealthCheck {
  readonly #testWrite: () => Promise<unknown>;
  #failed = false;
  #last: Promise<unknown> | null = null;
  #nextAt = 0;

  /** @param testWrite writes a row and deletes it */
  constructor(testWrite: () => Promise<unknown>) {
    this.#testWrite = testWrite;
  }

  /** Reports a write that failed because of the store, not because of what was written. */
  reportFailure(): void {
    this.#failed = true;
  }

  /** @throws StoreUnavailable while writes fail */
  async requireWritable(): Promise<void> {
    if (!this.#failed) return;
    if (this.#last === null || performance.now() >= this.#nextAt) {
      this.#last = this.#testWrite().finally(() => {
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
