import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../errors.ts';
import type {
  Analysis,
  AnalyzeRequest,
  Box,
  CallOptions,
  EngineLoad,
  FaceCrop,
  ImageLimits,
  StageTimes,
  WorkerEnd,
  WorkerMemory,
} from '../types.ts';
import type { Launch } from './processes/command.ts';
import type { Task } from './processes/messages.ts';
import { startWorker, type WorkerProcess } from './processes/worker-process.ts';
import { ResourceQueue } from './resource-queue.ts';

/** Settings of a pool. */
interface PoolOptions {
  readonly launch: Launch;
  readonly limits: ImageLimits;
  /** Processes, 1 or more. */
  readonly workers: number;
  /** Largest number of calls that wait for a process, 0 or more; further ones are rejected as `busy`. */
  readonly queue: number;
  /** Timeout of a call in milliseconds, including the time in the queue. */
  readonly deadlineMs: number;
  /** Is told when a process has ended and is replaced. */
  readonly onWorkerEnd?: ((end: WorkerEnd) => void) | undefined;
  /** Receives the times of the stages of each analysis. */
  readonly onAnalyzed?: ((stages: StageTimes) => void) | undefined;
}

/** Least time that a worker gets after the deadline of its call, milliseconds. */
const GRACE_MS = 1000;

/** Backoff between failed starts, milliseconds: doubled from the first to the second. */
const BACKOFF_MS = [250, 30_000] as const;

/** How often unused workers are asked for an answer, and how long they may take, milliseconds. */
const PING = { every: 10_000, timeoutMs: 10_000 };

/** A worker that keeps more than this part of its memory between calls is replaced before it runs out of it. */
const KEPT_SHARE = 0.75;

/**
 * Analyses pictures in processes of their own. A process that ends, or that works past its call's deadline, costs that
 * one call and is replaced in the background; no call is tried again on another one, as its picture may be the reason.
 */
export class AnalyzerPool {
  readonly #options: PoolOptions;
  readonly #queue: ResourceQueue<WorkerProcess>;
  /** Started processes and their places, from 1; those in `#ready` have opened their models. */
  readonly #processes = new Map<WorkerProcess, number>();
  readonly #ready = new Set<WorkerProcess>();
  readonly #closing = new AbortController();
  readonly #pings: NodeJS.Timeout;
  #restarts = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#queue = new ResourceQueue(options.queue);
    this.#pings = setInterval(() => this.#pingIdle(), PING.every).unref();
  }

  /** Resolves when every process has run its models once. Call it once. @throws EngineError `pack` | `crashed` */
  async start(): Promise<void> {
    const places = Array.from({ length: this.#options.workers }, (_, index) => index + 1);
    const all = await Promise.all(places.map((place) => this.#startWorker(place)));
    for (const [index, worker] of all.entries()) void this.#keepRunning(worker, index + 1);
  }

  /** See `Engine.analyze`. */
  async analyze(image: Uint8Array, request: AnalyzeRequest, options?: CallOptions): Promise<Analysis> {
    return (await this.#call(image, { analyze: request }, options)) as Analysis;
  }

  /** See `Engine.thumbnail`. */
  async thumbnail({ jpeg, box }: FaceCrop, options?: CallOptions): Promise<Uint8Array> {
    return (await this.#call(jpeg, { thumbnail: box }, options)) as Uint8Array;
  }

  async #call(image: Uint8Array, work: Work, options: CallOptions = {}): Promise<unknown> {
    if (this.#closed) throw new EngineError('closed', 'The engine is closed.');
    const now = Date.now();
    const { deadline = now + this.#options.deadlineMs } = options;
    const { signal, clear } = startDeadline(Math.max(0, deadline - now), options.signal);
    try {
      const worker = await this.#queue.acquire(signal);
      return await unlessAborted(this.#run(worker, image, { ...work, deadline }), signal);
    } finally {
      clear();
    }
  }

  load(): EngineLoad {
    return {
      workers: this.#options.workers,
      alive: [...this.#ready].filter(({ late }) => !late).length,
      restarts: this.#restarts,
      running: this.#queue.running,
      queued: this.#queue.queued,
    };
  }

  /** See `Engine.memory`. A launcher that stays the parent of its worker is another program: nothing is told of it. */
  memory(): Promise<WorkerMemory[]> {
    const ready = [...this.#processes].filter(([worker]) => this.#ready.has(worker));
    return Promise.all(
      ready.map(async ([{ pid, residentBytes }, worker]) => {
        return { worker, residentBytes, proportionalBytes: pid ? await proportionalBytes(pid) : null };
      }),
    );
  }

  /** Rejects new calls, completes running and queued ones, ends the processes. */
  close(): Promise<void> {
    this.#closed ??= this.#queue.idle().then(async () => {
      clearInterval(this.#pings);
      this.#closing.abort();
      const workers = [...this.#processes.keys()];
      for (const worker of workers) worker.end('other', 'the engine closes');
      await Promise.all(workers.map((worker) => worker.ended));
    });
    return this.#closed;
  }

  async #run(
    worker: WorkerProcess,
    image: Uint8Array,
    task: Extract<Task, { deadline: number }>,
  ): Promise<unknown> {
    const { deadlineMs } = this.#options;
    const timeoutMs = Math.max(0, task.deadline - Date.now());
    // Between the runs of networks a worker sees the deadline by itself; the start of another one costs more than a run.
    const graceMs = Math.max(GRACE_MS, deadlineMs / 2);
    try {
      const result = await worker.run(task, { image, timeoutMs, graceMs });
      if ('analyze' in task) this.#options.onAnalyzed?.((result as Analysis).stages);
      return result;
    } finally {
      if (worker.residentBytes > KEPT_SHARE * this.#options.launch.memoryBytes)
        worker.end('memory', 'it keeps too much memory');
      this.#queue.release(worker.alive ? worker : null);
    }
  }

  /** Unused workers that do not answer are ended and replaced before a call meets them. */
  #pingIdle(): void {
    for (const worker of this.#ready) {
      if (!this.#queue.remove(worker)) continue;
      const answered = worker.run({ ping: true }, { timeoutMs: PING.timeoutMs });
      answered.then(
        () => worker.alive && this.#queue.add(worker),
        () => undefined,
      );
    }
  }

  /** Replaces a process whenever it ends, until the pool closes. */
  async #keepRunning(first: WorkerProcess, place: number): Promise<void> {
    let worker: WorkerProcess | null = first;
    for (let failures = 0; ; ) {
      const end = await (worker?.ended ?? this.#backoff(failures));
      if (this.#closing.signal.aborted) return;
      if (end) this.#options.onWorkerEnd?.(end);
      this.#restarts += 1;
      worker = await this.#startWorker(place).catch((error: Error) => {
        const isKilled = error instanceof EngineError && error.code === 'killed';
        this.#options.onWorkerEnd?.({ cause: isKilled ? 'sigkill' : 'start', reason: error.message });
        return null;
      });
      failures = worker ? 0 : failures + 1;
    }
  }

  async #backoff(failures: number): Promise<undefined> {
    const [first, longest] = BACKOFF_MS;
    const milliseconds = Math.min(longest, first * 2 ** (failures - 1));
    await delay(milliseconds, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }

  async #startWorker(place: number): Promise<WorkerProcess> {
    const { launch, limits } = this.#options;
    const worker = await startWorker(launch, limits, (started) => this.#watch(started, place));
    if (!worker.alive) return worker;
    this.#ready.add(worker);
    this.#queue.add(worker);
    return worker;
  }

  #watch(worker: WorkerProcess, place: number): void {
    this.#processes.set(worker, place);
    void worker.ended.then(() => {
      this.#processes.delete(worker);
      this.#ready.delete(worker);
      this.#queue.remove(worker);
    });
  }
}

/** A task of a call, without its deadline. */
type Work = { readonly analyze: AnalyzeRequest } | { readonly thumbnail: Box };

/** Signal of a call's deadline and of its caller. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Removes the timer. */
  clear(): void;
}

/** `AbortSignal.timeout` cannot be cleared: its timer would keep each call's signals for the whole time. */
function startDeadline(milliseconds: number, caller?: AbortSignal): Deadline {
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
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/**
 * Proportional memory of a process of this program (PSS): a page that n processes share counts 1/n.
 * @param pid process id; absent: this process
 * @returns bytes; null where the system does not tell it, or the process runs another program or has ended
 */
export async function proportionalBytes(pid: number | 'self' = 'self'): Promise<number | null> {
  try {
    const [program, own] = await Promise.all([readlink(`/proc/${pid}/exe`), readlink('/proc/self/exe')]);
    if (program !== own) return null;
    const kibibytes = /^Pss: +(\d+) kB$/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}
