import { EngineError } from '../errors.ts';

/** Signal of a call's deadline and of its caller. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Removes the timer. */
  clear(): void;
}

/** `AbortSignal.timeout` cannot be cleared: its timer would keep each call's signals for the whole time. */
export function startDeadline(milliseconds: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const leave = () => controller.abort(new EngineError('aborted', 'The call was aborted.'));
  const timer = setTimeout(() => {
    controller.abort(
      new EngineError('deadline', `The call was not done within ${Math.round(milliseconds)} ms.`),
    );
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

/** Result of the work, or rejects with the signal's reason when that comes first. The work is not cancelled. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
