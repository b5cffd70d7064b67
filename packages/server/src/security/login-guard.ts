import { Refusal } from '../errors.ts';
import type { LimitStore } from '../store/store.ts';

/** One try to log in, already counted as failed until it is said to have succeeded. */
interface LoginAttempt {
  succeeded(): Promise<void>;
  /** The password has been checked; frees the place for the next one. */
  release(): void;
}

/** Slows down who guesses passwords, and bounds what guessing costs the server. */
export interface LoginGuard {
  /** @throws Refusal `tooManyRequests` with `retry_after` in seconds */
  admit(clientId: string, address: string): Promise<LoginAttempt>;
}

const windowMs = 15 * 60 * 1000;
/** One address may stand for many clients (a proxy, an office), so it gets this many times the limit. */
const addressFactor = 10;
/** Checks of one address at a time: each takes 32 MiB and a thread of four for 80 ms. */
const atOncePerAddress = 4;
const atOnce = 16;

/**
 * An attempt counts when it begins, so that many at once do not pass before the first has failed. Failures are
 * counted for all servers of a store, what runs at once for this one.
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

/** Bounds what runs at once. */
class LoginSemaphore {
  readonly #running = new Map<string, number>();
  #all = 0;

  /** @returns how to leave the place; idempotent */
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
