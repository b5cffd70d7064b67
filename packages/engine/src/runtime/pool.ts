import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../errors.ts';
import type { Analysis, AnalyzeRequest, CallOptions, EngineLoad } from '../types.ts';
import { startDeadline, unlessAborted } from './deadline.ts';
import { compiledWorker, workerCommand } from './processes/command.ts';
import type { WorkerSettings } from './processes/task.ts';
import { WorkerProcess } from './processes/worker-process.ts';
import { ResourceQueue } from './resource-queue.ts';

/** Settings of a pool. */
export interface PoolOptions extends WorkerSettings {
  /** Processes, 1 or more. */
  readonly workers: number;
  /** Largest number of calls that wait for a process, 0 or more; further ones are rejected as `busy`. */
  readonly queue: number;
  /** Timeout of a call in milliseconds, including the time in the queue. */
  readonly deadlineMs: number;
  /** The compiled worker; tests of faults name another one. */
  readonly workerFile?: string | undefined;
}

/** A worker that has not opened its models after this time is ended, milliseconds. */
const START_TIMEOUT_MS = 120_000;

/** Least time that a worker gets after the deadline of its call, milliseconds. */
const GRACE_MS = 1000;

/** Backoff between failed starts, milliseconds: doubled from the first to the second. */
const BACKOFF_MS = [250, 30_000] as const;

/**
 * Analyses pictures in processes of their own. A process that ends, or that works past its call's deadline, costs that
 * one call and is replaced in the background; no call is tried again on another one, as its picture may be the reason.
 */
export class AnalyzerPool {
  readonly #options: PoolOptions;
  readonly #queue: ResourceQueue<WorkerProcess>;
  /** Started processes; those in `#ready` have opened their models. */
  readonly #processes = new Set<WorkerProcess>();
  readonly #ready = new Set<WorkerProcess>();
  readonly #closing = new AbortController();
  #restarts = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#queue = new ResourceQueue(options.queue);
  }

  /** Resolves when every process has run its models once. Call it once. @throws EngineError `pack` | `crashed` */
  async start(): Promise<void> {
    const all = await Promise.all(Array.from({ length: this.#options.workers }, () => this.#startProcess()));
    for (const worker of all) void this.#keepRunning(worker);
  }

  /** See `Engine.analyze`. */
  async analyze(image: Uint8Array, request: AnalyzeRequest, options: CallOptions = {}): Promise<Analysis> {
    if (this.#closed) throw new EngineError('closed', 'The engine is closed.');
    const deadline = startDeadline(this.#options.deadlineMs, options.signal);
    try {
      const worker = await this.#queue.acquire(deadline.signal);
      return await unlessAborted(this.#run(worker, image, request), deadline.signal);
    } finally {
      deadline.clear();
    }
  }

  load(): EngineLoad {
    return {
      workers: this.#options.workers,
      alive: this.#ready.size,
      restarts: this.#restarts,
      running: this.#queue.running,
      queued: this.#queue.queued,
    };
  }

  /** Rejects new calls, completes running and queued ones, ends the processes. */
  close(): Promise<void> {
    this.#closed ??= this.#queue.idle().then(async () => {
      this.#closing.abort();
      const ended = [...this.#processes].map((worker) => {
        worker.end('the engine closes');
        return worker.ended;
      });
      await Promise.all(ended);
    });
    return this.#closed;
  }

  async #run(worker: WorkerProcess, image: Uint8Array, request: AnalyzeRequest): Promise<Analysis> {
    const { deadlineMs } = this.#options;
    // Time to finish for calls that started late: the start of another worker costs more than most of them.
    const limit = deadlineMs + Math.max(GRACE_MS, deadlineMs / 2);
    const late = setTimeout(() => worker.end(`no answer in ${limit} ms`), limit);
    try {
      return (await worker.run({ analyze: request }, image)) as Analysis;
    } finally {
      clearTimeout(late);
      this.#queue.release(worker.alive ? worker : null);
    }
  }

  /** Replaces a process whenever it ends, until the pool closes. */
  async #keepRunning(first: WorkerProcess): Promise<void> {
    let worker: WorkerProcess | null = first;
    for (let failures = 0; ; ) {
      await (worker ? worker.ended : this.#backoff(failures));
      if (this.#closing.signal.aborted) return;
      this.#restarts += 1;
      worker = await this.#startProcess().catch(() => null);
      failures = worker ? 0 : failures + 1;
    }
  }

  async #backoff(failures: number): Promise<void> {
    const [first, longest] = BACKOFF_MS;
    const milliseconds = Math.min(longest, first * 2 ** (failures - 1));
    await delay(milliseconds, null, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }

  async #startProcess(): Promise<WorkerProcess> {
    const { pack, limits, workerFile = compiledWorker() } = this.#options;
    const worker = new WorkerProcess(workerCommand(workerFile));
    this.#processes.add(worker);
    void worker.ended.then(() => {
      this.#processes.delete(worker);
      this.#ready.delete(worker);
      this.#queue.remove(worker);
    });
    const late = setTimeout(() => worker.end('it did not start'), START_TIMEOUT_MS);
    try {
      await worker.run({ open: { pack, limits } });
    } catch (error) {
      worker.end('its start failed');
      throw error;
    } finally {
      clearTimeout(late);
    }
    this.#ready.add(worker);
    this.#queue.add(worker);
    return worker;
  }
}
