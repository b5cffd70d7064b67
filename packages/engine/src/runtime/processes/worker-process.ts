import { type ChildProcess, spawn } from 'node:child_process';
import { type Duplex, PassThrough } from 'node:stream';
import { EngineError } from '../../errors.ts';
import type { ImageLimits, WorkerEnd } from '../../types.ts';
import { type Command, type Launch, workerCommand } from './command.ts';
import { type Answer, CHANNEL, encodeMessage, type Task, ValueReader } from './messages.ts';

/** Options of a task. */
interface RunOptions {
  readonly image?: Uint8Array;
  readonly timeoutMs: number;
  readonly graceMs?: number;
}

/**
 * All that a worker's environment has: that of the server holds its secrets. A worker decodes one picture at a time, so
 * one thread and one arena of glibc's allocator do; fixed thresholds, in bytes, have it give large buffers back. After
 * pictures of 50 megapixels a worker keeps 258 MB instead of 287, at the same CPU time.
 */
const environment = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: `${4 << 20}`,
  MALLOC_TRIM_THRESHOLD_: `${4 << 20}`,
};

/** A worker and its channel. It does one task at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #reader = new ValueReader();
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  #end: WorkerEnd | null = null;
  #residentBytes = 0;
  #lateAt = 0;

  /** Resolves with the reason when the process has ended, however that came. Never rejects. */
  readonly ended: Promise<WorkerEnd>;

  constructor({ file, args, cwd }: Command) {
    this.#child = spawn(file, args, { cwd, env: environment, stdio: ['ignore', 2, 2, 'pipe'] });
    this.ended = this.#watchEnd();
    // Without a free file descriptor there is no channel, and the end is reported as an event.
    this.#channel = (this.#child.stdio?.[CHANNEL] ?? new PassThrough()) as Duplex;
    this.#channel.on('data', (chunk: Buffer) => this.#read(chunk));
    // Errors of the channel come with its end. A worker that has closed its end can answer no more.
    this.#channel.on('error', () => undefined);
    this.#channel.on('close', () => this.#child.kill('SIGKILL'));
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether the process runs and was not told to end. */
  get alive(): boolean {
    return this.#end === null;
  }

  /** Whether the running task has taken more than its time. */
  get late(): boolean {
    return this.#waiting !== null && performance.now() > this.#lateAt;
  }

  /** Resident memory after the last task, bytes. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  /**
   * Does a task; not before the previous one has settled.
   * @param image bytes of the picture, sent without a copy: they must not change before the call settles
   * @param timeoutMs time for the task, milliseconds; after it and `graceMs` the process is ended
   * @throws EngineError the worker's, or `killed` or `crashed` when the process ends first; Error of a defect in the worker
   */
  async run(task: Task, { image, timeoutMs, graceMs = 0 }: RunOptions): Promise<unknown> {
    const limit = timeoutMs + graceMs;
    this.#lateAt = performance.now() + timeoutMs;
    const timer = setTimeout(() => this.end('timeout', `no answer in ${limit} ms`), limit);
    const answer = await this.#ask(task, image).finally(() => clearTimeout(timer));
    this.#residentBytes = answer.residentBytes;
    if ('refused' in answer) throw new EngineError(answer.refused.code, answer.refused.message);
    if ('failed' in answer) throw new Error('An engine worker failed.', { cause: answer.failed });
    return answer.result;
  }

  /** Ends the process at once; the running task rejects with `crashed` and the reason. */
  end(cause: WorkerEnd['cause'], reason: string): void {
    this.#end ??= { cause, reason };
    this.#child.kill('SIGKILL');
  }

  #ask(task: Task, image?: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) throw ended(this.#end, true);
      this.#waiting = { resolve, reject };
      this.#channel.cork();
      this.#channel.write(encodeMessage(task, image));
      if (image) this.#channel.write(image);
      this.#channel.uncork();
    });
  }

  #read(chunk: Buffer): void {
    try {
      for (const answer of this.#reader.add(chunk)) {
        if (!this.#waiting) throw new Error('nothing was asked');
        this.#waiting.resolve(answer as Answer);
        this.#waiting = null;
      }
    } catch (error) {
      this.end('other', `its answer cannot be read: ${(error as Error).message}`);
    }
  }

  #watchEnd(): Promise<WorkerEnd> {
    return new Promise((resolve) => {
      const finish = (end: WorkerEnd, killed = false) => {
        this.#end ??= end;
        this.#waiting?.reject(ended(this.#end, killed));
        resolve(this.#end);
      };
      this.#child.on('error', ({ message }) => finish({ cause: 'start', reason: message }));
      this.#child.on('exit', (code, signal) => {
        const cause = signal === 'SIGKILL' ? 'sigkill' : signal === null ? 'other' : 'signal';
        const reason = signal ?? `exit code ${code}`;
        finish({ cause, reason }, this.#end === null && isKill(code, signal));
      });
    });
  }
}

function ended({ reason }: WorkerEnd, killed: boolean): EngineError {
  return new EngineError(killed ? 'killed' : 'crashed', `A worker of the engine has ended: ${reason}.`);
}

/** Whether the kernel, for want of memory, or an operator has ended it, also as a launcher says so. */
function isKill(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || signal === 'SIGTERM' || code === 128 + 9 || code === 128 + 15;
}

/** A worker that has not opened its models after this time is ended, milliseconds. */
const START_TIMEOUT_MS = 120_000;

/**
 * Starts a worker and waits until it has run its models once.
 * @param started receives the process before that
 * @throws EngineError `pack` | `crashed`
 */
export async function startWorker(
  launch: Launch,
  limits: ImageLimits,
  started: (worker: WorkerProcess) => void,
): Promise<WorkerProcess> {
  const worker = new WorkerProcess(workerCommand(launch));
  started(worker);
  try {
    await worker.run({ open: { pack: launch.pack, limits } }, { timeoutMs: START_TIMEOUT_MS });
    return worker;
  } catch (error) {
    worker.end('start', 'its start failed');
    throw error;
  }
}
