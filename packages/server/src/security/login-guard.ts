import { Refusal } from '../errors.ts';
import type { LimitStore } from '../store/store.ts';

/** A login attempt; counted as failed until `succeeded`. */
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
/** An address may be shared by many clients (proxy, office): its limit is this many times larger. */
const addressFactor = 10;
/** Concurrent checks per address: each takes 32 MiB and one of libuv's four threads for 80 ms. */
const atOncePerAddress = 4;
const atOnce = 16;

/**
 * An attempt is counted when it begins, so that concurrent attempts cannot exceed the limit. Failures are counted for
 * all servers of a store, concurrency for this one.
 * @param failures failed logins allowed per client and address in a quarter of an hour
 */
export function createLoginGuard(failures: number, limits: LimitStore): LoginGuard {
  const places = new LoginSemaphore();
  const take = async (key: string, limit: number) => {
    const { count, waitMs } = await limits.increment(key, limit, windowMs);
    if (count > limit) throw tooMany(waitMs);
  };
  return {
    async admit(clientId, address) {
      const leave = places.take(address);
      const own = `login ${JSON.stringify([clientId, address])}`;
      const ofAddress = `login ${JSON.stringify([address])}`;
      try {
        await take(own, failures);
        await take(ofAddress, failures * addressFactor);
      } catch (error) {
        leave();
        throw error;
      }
      return {
        async succeeded() {
          await limits.decrement(own);
          await limits.decrement(ofAddress, 1);
        },
        release: leave,
      };
    },
  };
}

/** Semaphore, in all and per address. */
class LoginSemaphore {
  readonly #running = new Map<string, number>();
  #all = 0;

  /** @returns idempotent release function */
  take(address: string): () => void {
    const here = this.#running.get(address) ?? 0;
    if (here >= atOncePerAddress || this.#all >= atOnce) throw tooMany(1000);
    this.#running.set(address, here + 1);
    this.#all++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#all--;
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
