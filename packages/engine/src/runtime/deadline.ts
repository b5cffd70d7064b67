import { EngineError } from '../errors.ts';

/** A signal that ends a call when its time is up or its caller goes away. */
export interface Deadline {
  /** Its reason is an `EngineError` `deadline` or `aborted`. */
  readonly signal: AbortSignal;
  /** Stops the clock. */
  clear(): void;
}

/**
 * Starts the clock of a call.
 *
 * @param milliseconds time for waiting and working together
 * @param caller aborts when the caller goes away
 */
export function startDeadline(milliseconds: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const leave = () => controller.abort(new EngineError('aborted', 'The call was aborted.'));
  const timer = setTimeout(() => {
    controller.abort(new EngineError('deadline', `The call was not done within ${milliseconds} ms.`));
  }, milliseconds);
  if (caller?.aborted) leave();
  caller?.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', leave);
    },
  };
}

/** The work's answer, or the signal's reason when that comes first; the work then goes on unheard. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
