import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { EngineError } from '../errors.ts';
import type { Analysis, AnalyzeRequest, CallOptions } from '../types.ts';
import { Semaphore } from './semaphore.ts';
import type { Answer, Task, WorkerSettings } from './worker.ts';

/** Settings of a pool. */
export interface PoolOptions extends WorkerSettings {
  /** Threads, 1 or more. */
  readonly workers: number;
  /** Largest number of calls that wait for a thread, 0 or more; further ones are rejected as `busy`. */
  readonly queue: number;
  /** Timeout of a call in milliseconds, including the time in the queue. */
  readonly deadlineMs: number;
  /** The compiled worker; tests of crashes name another one. */
  readonly workerFile?: string;
}

/**
 * Analyses pictures in worker threads.
 *
 * The queue is a semaphore and not that of piscina, which terminates the thread of an aborted task: the new thread would
 * have to load the models again. Here the thread completes the task and its result is dropped.
 */
export class AnalyzerPool {
  readonly #piscina: Piscina;
  readonly #semaphore: Semaphore;
  readonly #options: PoolOptions;
  #closed: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    const { pack, limits, workers, workerFile = compiledWorker() } = options;
    this.#options = options;
    this.#semaphore = new Semaphore(workers, options.queue);
    this.#piscina = new Piscina({
      filename: workerFile,
      name: 'work',
      workerData: { pack, limits } satisfies WorkerSettings,
      minThreads: workers,
      maxThreads: workers,
      atomics: 'disabled',
    });
    // A thread that crashes between tasks is replaced; one that crashes during a task rejects that task.
    this.#piscina.on('error', () => undefined);
  }

  /** Resolves when every worker has run its models once. @throws EngineError `pack` */
  async warm(): Promise<void> {
    // Each worker runs one task at a time, so as many tasks as workers reach all of them.
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#run(null)));
  }

  /** See `Engine.analyze`. */
  async analyze(image: Uint8Array, request: AnalyzeRequest, options: CallOptions = {}): Promise<Analysis> {
    if (this.#closed) throw new EngineError('closed', 'The engine is closed.');
    const deadline = startDeadline(this.#options.deadlineMs, options.signal);
    try {
      const release = await this.#semaphore.acquire(deadline.signal);
      const work = this.#run({ image, request }).finally(release);
      return (await unlessAborted(work, deadline.signal))!;
    } finally {
      deadline.clear();
    }
  }

  load(): { workers: number; running: number; queued: number } {
    return {
      workers: this.#options.workers,
      running: this.#semaphore.running,
      queued: this.#semaphore.queued,
    };
  }

  /** Rejects new calls, completes running and queued ones, terminates the threads. */
  close(): Promise<void> {
    this.#closed ??= this.#semaphore.idle().then(() => this.#piscina.destroy());
    return this.#closed;
  }

  async #run(task: Task): Promise<Analysis | null> {
    // A copy to transfer: the caller keeps its bytes, which may be part of a shared buffer.
    const image = task && new Uint8Array(task.image);
    const answer: Answer = await this.#piscina.run(task && { ...task, image }, {
      transferList: image ? [image.buffer] : [],
    });
    if ('refused' in answer) throw new EngineError(answer.refused.code, answer.refused.message);
    return answer.analysis;
  }
}

/** Worker threads cannot run TypeScript, so the sources use the built worker. */
function compiledWorker(): string {
  const sibling = fileURLToPath(new URL('./worker.js', import.meta.url));
  return existsSync(sibling)
    ? sibling
    : fileURLToPath(new URL('../../dist/runtime/worker.js', import.meta.url));
}

/** `AbortSignal.timeout` cannot be cleared: its timer would keep each call's signals for the whole time. */
function startDeadline(milliseconds: number, caller?: AbortSignal) {
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

/** Result of the work, or rejects with the signal's reason when that comes first. The work is not cancelled. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
