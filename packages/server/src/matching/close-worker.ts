import type { Worker } from 'node:worker_threads';

/** After it the thread is terminated. */
const shutdownTimeoutMs = 2000;

/** Asks a worker to close what it has opened, by a message. Resolves when it has ended. */
export async function closeWorker(worker: Worker): Promise<void> {
  const ended = new Promise<void>((go) => worker.once('exit', () => go()));
  worker.ref();
  worker.postMessage({ close: true });
  const force = setTimeout(() => void worker.terminate(), shutdownTimeoutMs);
  await ended;
  clearTimeout(force);
}
