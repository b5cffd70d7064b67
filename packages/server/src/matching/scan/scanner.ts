import { Worker } from 'node:worker_threads';
import { machineCores } from '../../lib/machine.ts';
import { maxThreads, strideOf } from './layout.ts';
import type { PageMemory } from './page-memory.ts';
import type { ScanAnswer, ScanTask } from './scan-worker.ts';
import { type FoundRows, ScanMemories, type ScanQuestion, type ScanTarget, searchRows } from './search.ts';

export interface ScannerOptions {
  /** Minimum bytes of codes for a worker: 2 MiB take 0.1 ms. */
  readonly workersFrom?: number;
  /** At most 8; more are limited by memory bandwidth. */
  readonly workers?: number;
  /** Minimum bytes of codes of each part of a search that idle workers share: 16 MiB take a millisecond. */
  readonly partBytes?: number;
}

/** Where the rows of all galleries are. */
export interface MatrixMemory {
  readonly codes: PageMemory;
  readonly templates: PageMemory;
}

interface Job {
  readonly target: ScanTarget;
  readonly question: ScanQuestion;
  resolve(found: FoundRows): void;
  reject(error: unknown): void;
}

/** Timeout of a scan, which usually takes milliseconds. */
const timeoutMs = 60_000;

interface Thread {
  readonly worker: Worker;
  /** Terminates the thread on timeout. */
  timer: NodeJS.Timeout | undefined;
  /** Numbers of memories sent to it. */
  readonly sent: { codes: number; templates: number };
  job: Job | null;
}

/** Node 20 cannot run TypeScript in a thread, so tests use the built worker. */
const workerFile = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/matching/scan/scan-worker.js', import.meta.url)
  : new URL('./scan-worker.js', import.meta.url);

/**
 * Scans small galleries on the calling thread and large ones in worker threads, in order of arrival. Threads start on
 * demand and do not keep the process alive. A large search for the best is split among the threads that are idle when it
 * arrives; concurrent searches thus use one thread each.
 */
export class Scanner {
  readonly #memory: MatrixMemory;
  readonly #own = new ScanMemories(0);
  readonly #workersFrom: number;
  readonly #partBytes: number;
  readonly #threads: (Thread | null)[];
  readonly #queue: Job[] = [];
  #closed = false;

  constructor(memory: MatrixMemory, options: ScannerOptions = {}) {
    const { workersFrom = 2 ** 21, workers = machineCores(), partBytes = 2 ** 24 } = options;
    this.#memory = memory;
    this.#workersFrom = workersFrom;
    this.#partBytes = partBytes;
    this.#threads = new Array<Thread | null>(Math.max(1, Math.min(workers, maxThreads - 1))).fill(null);
  }

  /**
   * Takes at most a few milliseconds of the calling thread.
   * @param signal ends a search that waits for a thread, with its reason; one that runs takes milliseconds and completes
   * @returns what was found in each part of the rows
   */
  search(
    target: ScanTarget,
    question: ScanQuestion,
    signal?: AbortSignal,
  ): FoundRows[] | Promise<FoundRows[]> {
    const bytes = target.rows * strideOf(target.dimensions);
    if (bytes >= this.#workersFrom) return this.#inParts(target, question, bytes, signal);
    const { codes, templates } = this.#memory;
    const own = this.#own;
    own.add(codes.memories.slice(own.codes.length), templates.memories.slice(own.templates.length));
    return [searchRows(own, target, question)];
  }

  /** Ends the threads. Running and queued searches fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(new Error('the matcher is closed'));
    await Promise.all(this.#threads.map((thread) => thread?.worker.terminate()));
  }

  async #inParts(
    target: ScanTarget,
    question: ScanQuestion,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Promise<FoundRows[]> {
    const [from, end] = target.span;
    const idle = this.#threads.filter((thread) => thread === null || thread.job === null).length;
    const free = this.#queue.length > 0 || question.k === Number.POSITIVE_INFINITY ? 1 : idle;
    const count = Math.max(1, Math.min(free, Math.floor(bytes / this.#partBytes), end - from));
    const edge = (part: number) => from + Math.round((part * (end - from)) / count);
    const parts = Array.from({ length: count }, (_, part) =>
      this.#run({ ...target, span: [edge(part), edge(part + 1)] }, question, signal),
    );
    // All end before the caller may change what they read.
    const ended = await Promise.allSettled(parts);
    return ended.map((part) => {
      if (part.status === 'rejected') throw part.reason;
      return part.value;
    });
  }

  #run(target: ScanTarget, question: ScanQuestion, signal: AbortSignal | undefined): Promise<FoundRows> {
    if (this.#closed) return Promise.reject(new Error('the matcher is closed'));
    let leave = () => {};
    const found = new Promise<FoundRows>((resolve, reject) => {
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

  #next(): void {
    if (this.#queue.length === 0) return;
    let index = this.#threads.findIndex((thread) => thread !== null && thread.job === null);
    if (index < 0) index = this.#threads.indexOf(null);
    if (index < 0) return;
    const thread = this.#threads[index] ?? this.#start(index);
    const job = this.#queue.shift()!;
    const codes = this.#memory.codes.memories.slice(thread.sent.codes);
    const templates = this.#memory.templates.memories.slice(thread.sent.templates);
    thread.sent.codes += codes.length;
    thread.sent.templates += templates.length;
    thread.job = job;
    thread.timer = setTimeout(() => void thread.worker.terminate(), timeoutMs);
    thread.worker.ref();
    const task: ScanTask = { codes, templates, target: job.target, question: job.question };
    thread.worker.postMessage(task);
  }

  #start(index: number): Thread {
    // Number 0 is the main thread.
    const worker = new Worker(workerFile, { workerData: { thread: index + 1 } });
    const thread: Thread = { worker, timer: undefined, sent: { codes: 0, templates: 0 }, job: null };
    let reason: unknown = new Error('a scanning thread ended');
    worker.on('message', (answer: ScanAnswer) => this.#done(thread, answer));
    worker.on('error', (error) => {
      reason = error;
    });
    // Not earlier: until it has exited it may write to its scratch area.
    worker.on('exit', () => {
      this.#threads[index] = null;
      this.#done(thread, { error: reason });
    });
    this.#threads[index] = thread;
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
}
