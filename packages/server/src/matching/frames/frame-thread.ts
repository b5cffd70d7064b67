import { Worker } from 'node:worker_threads';
import { closeWorker } from '../close-worker.ts';
import type { FrameAnswer, FrameCommand, FrameQuestion, FrameReply, FrameWorkerData } from './messages.ts';

/** Node 20 cannot run TypeScript in a worker: tests use the built file. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/matching/frames/frame-worker.js' : './frame-worker.js',
  import.meta.url,
);

/** Frames cannot be compared now: the store is unavailable, or they were not loaded in time. */
export class FramesUnavailable extends Error {
  override readonly name = 'FramesUnavailable';
}

interface Job {
  resolve(answer: FrameAnswer): void;
  reject(error: unknown): void;
}

/** The worker that holds the hashes. It is started on demand, and again when it has ended. */
export class FrameThread {
  readonly #data: FrameWorkerData;
  readonly #jobs = new Map<number, Job>();
  #worker: Worker | null = null;
  #number = 0;
  #closed = false;

  constructor(data: FrameWorkerData) {
    this.#data = data;
  }

  get running(): boolean {
    return this.#worker !== null;
  }

  /** @throws FramesUnavailable; Error when the index is closed or the thread ends */
  ask(question: FrameQuestion): Promise<FrameAnswer> {
    return new Promise((resolve, reject) => {
      const worker = this.#started();
      const job = ++this.#number;
      this.#jobs.set(job, { resolve, reject });
      worker.ref();
      const command: FrameCommand = { job, question };
      worker.postMessage(command);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#worker) await closeWorker(this.#worker);
  }

  #started(): Worker {
    if (this.#closed) throw new Error('the index of frames is closed');
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerFile, { workerData: this.#data });
    this.#worker = worker;
    worker.on('message', (reply: FrameReply) => this.#take(reply));
    let reason: unknown = new Error('the thread of frames ended');
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      for (const job of this.#jobs.values()) job.reject(reason);
      this.#jobs.clear();
    });
    return worker;
  }

  #take(reply: FrameReply): void {
    const job = this.#jobs.get(reply.job);
    this.#jobs.delete(reply.job);
    if (this.#jobs.size === 0) this.#worker?.unref();
    if ('answer' in reply) job?.resolve(reply.answer);
    else job?.reject(reply.unavailable ? new FramesUnavailable(reply.error) : new Error(reply.error));
  }
}
