import { availableParallelism } from 'node:os';
import { WorkerThread } from '../worker-thread.ts';
import type { Arenas } from './arenas.ts';
import { BestRows, type ScoredRow } from './best-rows.ts';
import { type Kernel, openKernel, type WasmMemory } from './kernel.ts';
import { maxThreads, scratchOf, strideOf } from './layout.ts';
import { type PairAnswer, type PairQuestion, searchPairs } from './pairs.ts';
import type { ScanAnswer, ScanQuestion, ScanTask } from './scan-worker.ts';
import { blockFields, orderOfIds, type ScanMemory, type ScanTarget, searchRows } from './search.ts';

export interface ScannerOptions {
  /** Minimum bytes of codes for a worker: 2 MiB take 0.1 ms, 2 ms without SIMD. */
  readonly workersFrom?: number;
  readonly workers?: number;
  /** Minimum bytes of codes of each part of a search that idle workers share: 16 MiB take a millisecond. */
  readonly partBytes?: number;
  /** Opens the kernel of the calling thread. Default: the fastest one. */
  readonly open?: (memory: WasmMemory) => Kernel;
}

const twoMebibytes = 2 ** 21;

export type Scanner = ReturnType<typeof createScanner>;

/** Scans small matrices on the calling thread and large ones in worker threads. */
export function createScanner(arenas: Arenas, options: ScannerOptions = {}) {
  const own: ScanMemory[] = [];
  const pool = new ScanPool(arenas, options.workers, options.partBytes);
  const { workersFrom = twoMebibytes, open = openKernel } = options;
  const ownMemories = () => {
    for (const memory of arenas.memories.slice(own.length)) {
      own.push({ memory, kernel: open(memory), scratch: scratchOf(0) });
    }
    return own;
  };
  const codeBytes = ({ rows, dimensions }: ScanTarget) => rows * strideOf(dimensions);
  return {
    /**
     * Takes at most a few milliseconds of the calling thread.
     * @param signal ends a search that waits for a thread, with its reason
     */
    search: (
      target: ScanTarget,
      probe: Float32Array,
      k: number,
      signal?: AbortSignal,
    ): ScoredRow[] | Promise<ScoredRow[]> =>
      codeBytes(target) < workersFrom
        ? searchRows(ownMemories(), target, probe, k)
        : pool.search(target, probe, k, signal),
    /** The next pairs of rows. @param signal as that of `search` */
    pairs: (
      target: ScanTarget,
      question: PairQuestion,
      signal?: AbortSignal,
    ): PairAnswer | Promise<PairAnswer> =>
      Math.min(question.work, target.rows * codeBytes(target)) < workersFrom
        ? searchPairs(ownMemories(), target, question)
        : pool.pairs(target, question, signal),
    /** Ends the threads; their searches fail. */
    close: () => pool.close(),
  };
}

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
  readonly worker: WorkerThread<ScanTask, ScanAnswer>;
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
    thread.worker.setBusy(true);
    thread.worker.send({ memories, target: job.target, question: job.question });
  }

  #start(index: number): Thread {
    const worker = new WorkerThread<ScanTask, ScanAnswer>('scan/scan-worker', {
      // Number 0 is the main thread.
      data: { thread: index + 1 },
      onMessage: (answer) => this.#done(thread, answer),
      // Not earlier: until it has exited it may write to its scratch area.
      onExit: (reason = new Error('a scanning thread ended')) => this.#lost(index, thread, reason),
    });
    const thread: Thread = { worker, timer: undefined, known: 0, job: null };
    this.#threads[index] = thread;
    return thread;
  }

  #done(thread: Thread, answer: ScanAnswer): void {
    const { job } = thread;
    thread.job = null;
    clearTimeout(thread.timer);
    thread.worker.setBusy(false);
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

/** No memory: blocks in it are not scanned. */
const NOWHERE = -1;

/** The target in parts of neighbouring blocks, for as many threads. Each part has all rows, and scans its own. */
function partsOf(target: ScanTarget, count: number): ScanTarget[] {
  const total = target.blocks.length / blockFields;
  return Array.from({ length: count }, (_, part) => {
    const blocks = target.blocks.slice();
    const [first, end] = [part, part + 1].map((edge) => Math.round((edge * total) / count));
    for (let block = 0; block < total; block++) {
      if (block < first! || block >= end!) blocks[block * blockFields] = NOWHERE;
    }
    return { ...target, blocks };
  });
}

/** The k best of the best rows of all parts: exact, as each row of them is among the best of its part. */
function joinParts(
  memories: readonly WasmMemory[],
  target: ScanTarget,
  k: number,
  parts: readonly (readonly ScoredRow[])[],
): ScoredRow[] {
  const buffers = memories.map(({ buffer }) => buffer);
  const best = new BestRows(k, orderOfIds(buffers, target));
  for (const { row, score } of parts.flat()) best.add(row, score);
  return best.rows;
}
