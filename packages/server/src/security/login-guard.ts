import { Refusal } from '../errors.ts';
import type { LimitStore } from '../store/memory-limits.ts';

/** A login attempt. It counts as failed until `succeeded` is called. */
interface LoginAttempt {
  succeeded(): Promise<void>;
  /** Ends the attempt and releases its permit. */
  release(): void;
}

/** Rate limit of failed logins and concurrency limit of password checks. */
export interface LoginGuard {
  /** @throws Refusal `tooManyRequests` with `retry_after` in seconds */
  admit(clientId: string, address: string): Promise<LoginAttempt>;
}

const windowMs = 15 * 60 * 1000;
/** The limit of an address is this many times larger, since many clients may share one (proxy, office). */
const addressFactor = 10;
/** Concurrent password checks: each takes 32 MiB and one of libuv's four threads for 80 ms. */
const maxConcurrentPerAddress = 4;
const maxConcurrent = 16;

/**
 * An attempt is counted when it begins, so that concurrent attempts cannot exceed the limit. Failures are counted for
 * all servers of a store, concurrency for this one.
 * @param failures failed logins allowed per client and address in a quarter of an hour
 */
export function createLoginGuard(failures: number, limits: LimitStore): LoginGuard {
  const semaphore = new LoginSemaphore();
  const count = async (key: string, limit: number) => {
    const { count: failed, waitMs } = await limits.increment(key, limit, windowMs);
    if (failed > limit) throw tooMany(waitMs);
  };
  return {
    async admit(clientId, address) {
      const release = semaphore.acquire(address);
      const clientKey = `login ${JSON.stringify([clientId, address])}`;
      const addressKey = `login ${JSON.stringify([address])}`;
      try {
        await count(clientKey, failures);
        await count(addressKey, failures * addressFactor);
      } catch (error) {
        release();
        throw error;
      }
      return {
        async succeeded() {
          await limits.decrement(clientKey);
          await limits.decrement(addressKey, 1);
        },
        release,
      };
    },
  };
}

/** Semaphore with a limit for each address and one for all. */
class LoginSemaphore {
  readonly #running = new Map<string, number>();
  #total = 0;

  /** @returns idempotent release function */
  acquire(address: string): () => void {
    const running = this.#running.get(address) ?? 0;
    if (running >= maxConcurrentPerAddress || this.#total >= maxConcurrent) throw tooMany(1000);
    this.#running.set(address, running + 1);
    this.#total++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#total--;
      const rest = (this.#running.get(address) ?? 1) - 1;
      if (rest > 0) this.#running.set(address, rest);
      else this.#running.delete(address);
    };
  }
}

function tooMany(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Refusal('tooManyRequests', `too many failed or simultaneous logins; wait ${seconds} s`, {
    retry_after: seconds,
  });
}
