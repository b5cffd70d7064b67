import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Arenas } from './arenas.ts';
import type { ScoredRow } from './best-rows.ts';
import { maxThreads, strideOf } from './layout.ts';
import type { PairAnswer, PairQuestion } from './pairs.ts';
import type { ScanAnswer, ScanQuestion, ScanTask } from './scan-worker.ts';
import { blockFields, type ScanTarget } from './search.ts';
import { joinParts, partsOf } from './split-search.ts';

/** Node 20 cannot run TypeScript in a worker: tests use the built file. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/matching/scan/scan-worker.js' : './scan-worker.js',
  import.meta.url,
);

type Found = ScoredRow[] | PairAnswer;

interface Job {
  readonly target: ScanTarget;
  readonly question: ScanQuestion;
  resolve(answer: Found): void;
  reject(error: unknown): void;
}

/** Timeout of a scan, which usually takes milliseconds. */
const timeoutMs = 60_000;

interface Thread {
  readonly worker: Worker;
  /** Terminates the thread on timeout. */
  timer: NodeJS.Timeout | undefined;
  /** Number of memories sent to it. */
  known: number;
  job: Job | null;
}

/**
 * Scans in worker threads, in order of arrival. Threads start on demand and do not keep the process alive. A large search
 * is split among the threads that are idle when it arrives; concurrent searches thus use one thread each.
 */
export class ScanPool {
  readonly #arenas: Arenas;
  readonly #threads: (Thread | null)[];
  readonly #queue: Job[] = [];
  readonly #partBytes: number;
  #closed = false;

  /**
   * @param workers at most 8; more are limited by memory bandwidth
   * @param partBytes least bytes of codes of a part of a search
   */
  constructor(arenas: Arenas, workers = availableParallelism(), partBytes = 2 ** 24) {
    this.#arenas = arenas;
    this.#partBytes = partBytes;
    this.#threads = new Array<Thread | null>(Math.max(1, Math.min(workers, maxThreads - 1))).fill(null);
  }

  /** @param signal ends a search that waits; one that runs takes milliseconds and completes */
  async search(
    target: ScanTarget,
    probe: Float32Array,
    k: number,
    signal?: AbortSignal,
  ): Promise<ScoredRow[]> {
    const run = (part: ScanTarget) => this.#run(part, { probe, k }, signal) as Promise<ScoredRow[]>;
    const count = this.#partsFor(target);
    if (count <= 1) return run(target);
    // All end before the caller may free what they read.
    const ended = await Promise.allSettled(partsOf(target, count).map(run));
    const found = ended.map((part) => {
      if (part.status === 'rejected') throw part.reason;
      return part.value;
    });
    return joinParts(this.#arenas.memories, target, k, found);
  }

  #partsFor({ rows, dimensions, blocks }: ScanTarget): number {
    if (this.#queue.length > 0) return 1;
    const idle = this.#threads.filter((thread) => thread === null || thread.job === null).length;
    const worthwhile = Math.floor((rows * strideOf(dimensions)) / this.#partBytes);
    return Math.min(idle, worthwhile, blocks.length / blockFields);
  }

  /** The next pairs of rows. @param question whose work takes milliseconds, since searches wait behind it */
  pairs(target: ScanTarget, question: PairQuestion, signal?: AbortSignal): Promise<PairAnswer> {
    return this.#run(target, question, signal) as Promise<PairAnswer>;
  }

  #run(target: ScanTarget, question: ScanQuestion, signal?: AbortSignal): Promise<Found> {
    if (this.#closed) return Promise.reject(new Error('the matcher is closed'));
    let leave = () => {};
    const found = new Promise<Found>((resolve, reject) => {
      const job: Job = { target, question, resolve, reject };
      this.#queue.push(job);
      this.#next();
      leave = () => {
        const place = this.#queue.indexOf(job);
        if (place < 0) return;
        this.#queue.splice(place, 1);
        reject(signal?.reason);
      };
    });
    signal?.addEventListener('abort', leave, { once: true });
    return found.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** Running and queued searches fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(new Error('the matcher is closed'));
    await Promise.all(this.#threads.map((thread) => thread?.worker.terminate()));
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    let index = this.#threads.findIndex((thread) => thread !== null && thread.job === null);
    if (index < 0) index = this.#threads.indexOf(null);
    if (index < 0) return;
    const thread = this.#threads[index] ?? this.#start(index);
    const job = this.#queue.shift()!;
    const memories = this.#arenas.memories.slice(thread.known);
    thread.known += memories.length;
    thread.job = job;
    thread.timer = setTimeout(() => void thread.worker.terminate(), timeoutMs);
    thread.worker.ref();
    const task: ScanTask = { memories, target: job.target, question: job.question };
    thread.worker.postMessage(task);
  }

  #start(index: number): Thread {
    // Number 0 is the main thread.
    const worker = new Worker(workerFile, { workerData: { thread: index + 1 } });
    const thread: Thread = { worker, timer: undefined, known: 0, job: null };
    this.#threads[index] = thread;
    worker.on('message', (answer: ScanAnswer) => this.#done(thread, answer));
    let reason: unknown = new Error('a scanning thread ended');
    worker.on('error', (error) => {
      reason = error;
    });
    // Not earlier: until it has exited it may write to its scratch area.
    worker.on('exit', () => this.#lost(index, thread, reason));
    return thread;
  }

  #done(thread: Thread, answer: ScanAnswer): void {
    const { job } = thread;
    thread.job = null;
    clearTimeout(thread.timer);
    thread.worker.unref();
    if ('found' in answer) job?.resolve(answer.found);
    else job?.reject(answer.error);
    this.#next();
  }

  #lost(index: number, thread: Thread, error: unknown): void {
    this.#threads[index] = null;
    clearTimeout(thread.timer);
    thread.job?.reject(error);
    thread.job = null;
    this.#next();
  }
}
