import { sleep } from './abort.ts';
import { isWajahError, type WajahError } from './errors.ts';
import { type Calls, calls } from './wire.ts';

/** Milliseconds. A call whose server requests a longer delay is not retried. */
const maxDelay = 20_000;
/** Milliseconds; the upper bound of the first random delay, doubled with each retry. */
const firstDelay = 250;

/** Whether a call may be executed twice. A call that spends a liveness token may not. */
export function isRepeatable(call: keyof Calls, fields: object): boolean {
  if ('liveness_token' in fields && fields.liveness_token) return false;
  return calls[call].repeatable === true;
}

interface RetryOptions {
  readonly retries: number;
  readonly repeatable: boolean;
  /** When the call times out, in milliseconds of `Date.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Retries an attempt that the server did not execute, or that may be executed twice. */
export async function withRetries<Answer>(
  attempt: () => Promise<Answer>,
  { retries, repeatable, deadline, signal }: RetryOptions,
): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts > retries || !isWajahError(error) || !mayRetry(error, repeatable)) throw error;
      const delay = retryDelay(attempts, error.retryAfterMs);
      if (delay === undefined || Date.now() + delay >= deadline) throw error;
      await sleep(delay, signal);
    }
  }
}

function mayRetry({ status, http }: WajahError, repeatable: boolean): boolean {
  if (status === '429' || status === '503') return true;
  if (status === 'unexpected') return repeatable && [429, 502, 503, 504].includes(http ?? 0);
  return status === 'network' && repeatable;
}

/**
 * Milliseconds before the next attempt; undefined when that is too long. The delay is random, so that callers that
 * were refused together do not return together.
 *
 * @param attempts made so far, from 1
 * @param retryAfter milliseconds that the server requests
 */
function retryDelay(attempts: number, retryAfter = 0): number | undefined {
  if (retryAfter > maxDelay) return undefined;
  return Math.min(retryAfter + Math.random() * firstDelay * 2 ** (attempts - 1), maxDelay);
}
