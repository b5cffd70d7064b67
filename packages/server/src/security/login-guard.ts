import { Refusal } from '../errors.ts';

/** One try to log in, already counted as failed until it is said to have succeeded. */
export interface LoginAttempt {
  succeeded(): void;
  /** The password has been checked; frees the place for the next one. */
  done(): void;
}

/** Slows down who guesses passwords, and bounds what guessing costs the server. */
export interface LoginGuard {
  /** @throws Refusal `tooManyRequests` with `retry_after` in seconds */
  admit(clientId: string, address: string): LoginAttempt;
}

const windowMs = 15 * 60 * 1000;
/** One address may stand for many clients (a proxy, an office), so it gets this many times the limit. */
const addressFactor = 10;
/** Checks of one address at a time: each takes 32 MiB and a thread of four for 80 ms. */
const atOncePerAddress = 4;
const atOnce = 16;
/** Counters kept; beyond that the oldest go, which only an attacker with so many addresses brings about. */
const maxCounters = 50_000;

interface Counter {
  failures: number;
  readonly until: number;
}

/**
 * Counts in memory: a restart forgives. An attempt counts when it begins, so that many at once do not pass
 * before the first has failed.
 * @param failures failed logins allowed per client and address in a quarter of an hour
 * @param now milliseconds
 */
export function createLoginGuard(failures: number, now: () => number = Date.now): LoginGuard {
  const counters = new Map<string, Counter>();
  const running = new Map<string, number>();
  let all = 0;

  const counterOf = (key: string): Counter => {
    const known = counters.get(key);
    if (known && known.until > now()) return known;
    counters.delete(key);
    const fresh = { failures: 0, until: now() + windowMs };
    counters.set(key, fresh);
    if (counters.size > maxCounters) counters.delete(counters.keys().next().value ?? key);
    return fresh;
  };

  return {
    admit(clientId, address) {
      const own = counterOf(JSON.stringify([clientId, address]));
      const ofAddress = counterOf(JSON.stringify([address]));
      if (own.failures >= failures) throw tooMany(own.until - now());
      if (ofAddress.failures >= failures * addressFactor) throw tooMany(ofAddress.until - now());
      const here = running.get(address) ?? 0;
      if (here >= atOncePerAddress || all >= atOnce) throw tooMany(1000);
      running.set(address, here + 1);
      all++;
      own.failures++;
      ofAddress.failures++;
      return {
        succeeded() {
          own.failures = 0;
          ofAddress.failures--;
        },
        done() {
          all--;
          const left = (running.get(address) ?? 1) - 1;
          if (left > 0) running.set(address, left);
          else running.delete(address);
        },
      };
    },
  };
}

function tooMany(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Refusal('tooManyRequests', `too many failed or simultaneous logins; wait ${seconds} s`, {
    retry_after: seconds,
  });
}
