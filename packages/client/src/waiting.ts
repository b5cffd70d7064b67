/** A wait that the server asks for and that is longer is left to the caller, in milliseconds. */
const longestWait = 20_000;
/** The first wait is at most this long, each further one twice as long. Milliseconds. */
const firstWait = 250;

/** The header Retry-After, in seconds or as a date, as milliseconds from now. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * How long to wait before the next try, in milliseconds; undefined when it is too long to wait.
 * Waits are random, so that callers who were refused together do not come back together.
 *
 * @param tried how many tries there were, from 1
 * @param asked what the server asks for
 */
export function waitBefore(tried: number, asked: number | undefined): number | undefined {
  if (asked !== undefined && asked > longestWait) return undefined;
  const random = Math.random() * firstWait * 2 ** (tried - 1);
  return Math.min((asked ?? 0) + random, longestWait);
}

/** @throws the reason of the signal */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** What others wait for too: given up by this caller alone. @throws the reason of the signal */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
