import { Refusal } from '../errors.ts';

/**
 * Does work of a call that ends with the call's deadline. Its signal ends it also when the caller disconnects. What cannot
 * be ended, such as reading a gallery into memory, goes on and is not waited for.
 * @param milliseconds until the deadline
 * @param what for the caller: what was not done
 * @throws Refusal `busy` at the deadline; the reason of the caller's signal
 */
export async function untilDeadline<T>(
  caller: AbortSignal,
  milliseconds: number,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const leave = () => ending.abort(caller.reason);
  const timer = setTimeout(() => ending.abort(late(what)), milliseconds);
  caller.addEventListener('abort', leave, { once: true });
  if (caller.aborted) leave();
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true });
  });
  try {
    ending.signal.throwIfAborted();
    return await Promise.race([work(ending.signal), ended]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', leave);
  }
}

function late(what: string): Refusal {
  return new Refusal('busy', `${what} was not done in time; nothing was written, try again in a moment`);
}
