import { EngineError } from '@wajah/engine';

export function aborted(): EngineError {
  return new EngineError('aborted', 'The call was aborted.');
}

/** The result of the work, or rejects when the signal aborts first; the work goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(aborted());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
