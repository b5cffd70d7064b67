import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { EngineError } from '../errors.ts';
import type { Analysis, AnalyzeRequest, CallOptions } from '../types.ts';
import { startDeadline, unlessAborted } from './deadline.ts';
import { Semaphore } from './semaphore.ts';
import type { Answer, Task, WorkerSettings } from './worker.ts';

/** Settings of a pool. */
export interface PoolOptions extends WorkerSettings {
  /** Threads, 1 or more. */
  readonly workers: number;
  /** Calls that may wait for a thread, 0 or more; further ones are refused as `busy`. */
  readonly queue: number;
  /** Time of a call, its waiting included. */
  readonly deadlineMs: number;
  /** The compiled worker; another one only in tests of crashes. */
  readonly workerFile?: string;
}

/**
 * Analyses pictures in worker threads.
 *
 * The queue is ours and not the one of piscina, which ends the thread of a running task when that is aborted:
 * a new thread would have to load the models again. Here the thread finishes and its answer is dropped.
 */
export class AnalyzerPool {
  readonly #piscina: Piscina;
  readonly #slots: Semaphore;
  readonly #options: PoolOptions;
  #closed: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    const { pack, limits, workers, workerFile = compiledWorker() } = options;
    this.#options = options;
    this.#slots = new Semaphore(workers, options.queue);
    this.#piscina = new Piscina({
      filename: workerFile,
      name: 'work',
      workerData: { pack, limits } satisfies WorkerSettings,
      minThreads: workers,
      maxThreads: workers,
      atomics: 'disabled',
    });
    // A thread that dies between tasks is replaced; one that dies with a task rejects that task.
    this.#piscina.on('error', () => undefined);
  }

  /** Resolves when every worker has its models warm. @throws EngineError `pack` */
  async warm(): Promise<void> {
    // Each worker takes one task at a time, so as many tasks as workers reach all of them.
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#run(null)));
  }

  /** See `Engine.analyze`. */
  async analyze(image: Uint8Array, request: AnalyzeRequest, options: CallOptions = {}): Promise<Analysis> {
    if (this.#closed) throw new EngineError('closed', 'The engine is closed.');
    const deadline = startDeadline(this.#options.deadlineMs, options.signal);
    try {
      const release = await this.#slots.acquire(deadline.signal);
      const work = this.#run({ image, request }).finally(release);
      return (await unlessAborted(work, deadline.signal))!;
    } finally {
      deadline.clear();
    }
  }

  load(): { workers: number; running: number; queued: number } {
    return { workers: this.#options.workers, running: this.#slots.running, queued: this.#slots.queued };
  }

  /** Refuses new calls, finishes those that run or wait, ends the threads. */
  close(): Promise<void> {
    this.#closed ??= this.#slots.idle().then(() => this.#piscina.destroy());
    return this.#closed;
  }

  async #run(task: Task): Promise<Analysis | null> {
    // A copy to give away: the caller keeps its bytes, which may be a window of a shared buffer.
    const image = task && new Uint8Array(task.image);
    const answer: Answer = await this.#piscina.run(task && { ...task, image }, {
      transferList: image ? [image.buffer] : [],
    });
    if ('refused' in answer) throw new EngineError(answer.refused.code, answer.refused.message);
    return answer.analysis;
  }
}

/** Worker threads cannot run TypeScript: seen from the sources, the worker is the built one. */
function compiledWorker(): string {
  const sibling = fileURLToPath(new URL('./worker.js', import.meta.url));
  return existsSync(sibling)
    ? sibling
    : fileURLToPath(new URL('../../dist/runtime/worker.js', import.meta.url));
}
