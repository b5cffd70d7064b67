/**
 * The result of work, or what `late` answers or throws when it is not there in time. The work goes on.
 * @param ms milliseconds
 */
export function inTime<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  return Promise.race([work, timeout.then(late)]).finally(() => clearTimeout(timer));
}

/**
 * The result of work, or rejects when the signal aborts first. The work goes on.
 * @param reason what it rejects with; default: the reason of the signal
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => unknown = () => signal.reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(reason());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/**
 * Does work that ends with a deadline. Its signal ends it also when the caller's signal does. What cannot be ended, such
 * as reading a gallery into memory, goes on and is not waited for.
 * @param ms milliseconds until the deadline
 * @param late the error at the deadline
 * @throws that error; the reason of the caller's signal
 */
export async function untilDeadline<T>(
  caller: AbortSignal,
  ms: number,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(late()), ms);
  const signal = AbortSignal.any([caller, deadline.signal]);
  try {
    signal.throwIfAborted();
    return await unlessAborted(work(signal), signal);
  } finally {
    clearTimeout(timer);
  }
}
