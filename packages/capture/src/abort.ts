/**
 * Waits for a promise until the signal aborts. The abort does not end the work behind the promise.
 * @throws the reason of the signal
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Attached in any case: work that fails after the abort would be an unhandled rejection.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** @throws the reason of the signal */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
