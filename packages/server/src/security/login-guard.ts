import { Refusal } from '../errors.ts';
import { minuteMs } from '../lib/time.ts';
import type { LimitStore } from '../store/ports/limits.ts';

/** A login attempt. It counts as failed until `succeeded` is called. */
interface LoginAttempt {
  succeeded(): Promise<void>;
  /** Ends the attempt; the next check begins. Idempotent. */
  release(): void;
}

/** Rate limit of failed logins, and turns of password checks. */
export interface LoginGuard {
  /** Resolves when the password may be checked. @throws Refusal `tooManyRequests` with `retry_after` in seconds */
  admit(clientId: string, address: string): Promise<LoginAttempt>;
}

const windowMs = 15 * minuteMs;
/** Failed logins that one client and address may make in that time. */
const failedLogins = 10;
/** The limit of an address is this many times larger, since many clients may share one (proxy, office). */
const addressFactor = 10;
/** Password checks of an address that run or wait. */
const maxPerAddress = 4;
/** Running password checks: each takes 32 MiB and a core for 80 ms, which the workers of the engine lack meanwhile. */
const maxRunning = 2;

/**
 * An attempt is counted when it begins, so that concurrent attempts cannot exceed the limit. Failures are counted for
 * all servers of a store, running checks for this one.
 * @param failures failed logins allowed per client and address in a quarter of an hour
 */
export function createLoginGuard(limits: LimitStore, failures = failedLogins): LoginGuard {
  const checks = new PasswordChecks();
  const count = async (key: string, limit: number) => {
    const { count: failed, waitMs } = await limits.increment(key, limit, windowMs);
    if (failed > limit) throw tooMany(waitMs);
  };
  return {
    async admit(clientId, address) {
      const check = checks.enter(address);
      const clientKey = `login ${JSON.stringify([clientId, address])}`;
      const addressKey = `login ${JSON.stringify([address])}`;
      try {
        await count(clientKey, failures);
        await count(addressKey, failures * addressFactor);
      } catch (error) {
        check.release();
        throw error;
      }
      await check.turn();
      return {
        async succeeded() {
          await limits.decrement(clientKey);
          await limits.decrement(addressKey, 1);
        },
        release: () => check.release(),
      };
    },
  };
}

interface AddressChecks {
  /** Running and waiting. */
  held: number;
  /** Number of the turn that began last; 0: none since the address appeared. */
  lastTurn: number;
  readonly waiting: (() => void)[];
}

/**
 * Semaphore with a limit for each address. Addresses take turns: the one whose last turn is longest ago is next, so that
 * who logs in once waits for one check and not for those of many guesses.
 */
class PasswordChecks {
  readonly #addresses = new Map<string, AddressChecks>();
  #running = 0;
  #turns = 0;

  /** @throws Refusal `tooManyRequests` */
  enter(address: string): { turn(): Promise<void>; release(): void } {
    const own = this.#addresses.get(address) ?? { held: 0, lastTurn: 0, waiting: [] };
    if (own.held >= maxPerAddress) throw tooMany(1000);
    this.#addresses.set(address, own);
    own.held += 1;
    let state: 'entered' | 'running' | 'released' = 'entered';
    return {
      turn: () =>
        new Promise((begin) => {
          own.waiting.push(() => {
            state = 'running';
            begin();
          });
          this.#next();
        }),
      release: () => {
        if (state === 'released') return;
        if (state === 'running') this.#running -= 1;
        state = 'released';
        own.held -= 1;
        if (own.held === 0) this.#addresses.delete(address);
        this.#next();
      },
    };
  }

  #next(): void {
    if (this.#running >= maxRunning) return;
    const waiting = [...this.#addresses.values()].filter((one) => one.waiting.length > 0);
    const next = waiting.sort((a, b) => a.lastTurn - b.lastTurn)[0];
    const begin = next?.waiting.shift();
    if (next === undefined || begin === undefined) return;
    this.#running += 1;
    this.#turns += 1;
    next.lastTurn = this.#turns;
    begin();
  }
}

function tooMany(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Refusal('tooManyLogins', { seconds }, { retry_after: seconds });
}
