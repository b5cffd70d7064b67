import { randomBytes } from 'node:crypto';
import { StoreUnavailable } from '../errors.ts';

/** A probe is not repeated before this. Milliseconds. */
const pauseMs = 2000;

/** What a probe writes: about as much as an enrolment with its crop does, and no database can make it shorter. */
export function testValue(): string {
  return randomBytes(48 * 1024).toString('base64');
}

/**
 * Whether a store that can be read can be written, too: not where its disk is full. Nothing is written to find out as
 * long as nothing failed; after that a small write is tried until one succeeds.
 */
export class WriteHealthCheck {
  readonly #probe: () => Promise<unknown>;
  #doubted = false;
  #last: Promise<unknown> | null = null;
  #next = 0;

  /** @param probe writes and takes back */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  /** Something could not be written for a reason that has to do with the store, not with what was written. */
  reportFailure(): void {
    this.#doubted = true;
  }

  /** @throws StoreUnavailable while nothing can be written */
  async requireWritable(): Promise<void> {
    if (!this.#doubted) return;
    if (this.#last === null || performance.now() >= this.#next) {
      this.#last = this.#probe().finally(() => {
        this.#next = performance.now() + pauseMs;
      });
      this.#next = Number.POSITIVE_INFINITY;
    }
    const probe = this.#last;
    await probe;
    // Unless it arose anew and was asked about meanwhile.
    if (this.#last !== probe) return;
    this.#doubted = false;
    this.#last = null;
  }
}

/** What a database says that lets itself be read only. */
export function readOnlyError(): StoreUnavailable {
  return new StoreUnavailable('the database takes no writes');
}
