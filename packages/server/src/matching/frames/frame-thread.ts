import { Worker } from 'node:worker_threads';
import type { AlignedFaceImage } from '@wajah/engine';
import type { StoredFramePart } from '../../store/session-store.ts';
import type { FrameCommand, FrameQuestion, FrameReply, FrameWorkerData } from './messages.ts';
import type { FrameRange } from './packed-hashes.ts';

/** Node 20 cannot run TypeScript in a worker: tests use the built file. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/matching/frames/frame-worker.js' : './frame-worker.js',
  import.meta.url,
);

type Answer = Extract<FrameReply, { readonly answer: unknown }>['answer'];

interface Job {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The worker that holds the hashes. It is started on demand, and again when it has ended. */
export class FrameThread {
  readonly #key: Uint8Array;
  readonly #jobs = new Map<number, Job>();
  #worker: Worker | null = null;
  #number = 0;
  #closed = false;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Starts the worker if there is none. @returns whether it did @throws Error when closed */
  start(): boolean {
    if (this.#closed) throw new Error('the index of frames is closed');
    if (this.#worker) return false;
    const workerData: FrameWorkerData = { key: this.#key };
    const worker = new Worker(workerFile, { workerData });
    this.#worker = worker;
    worker.unref();
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
    return true;
  }

  add(frames: readonly (StoredFramePart & { readonly sentAt: Date })[], since: number): void {
    this.#send({ kind: 'add', frames, since });
  }

  async candidates(
    images: readonly AlignedFaceImage[],
    range: FrameRange,
    most: number,
  ): Promise<readonly number[][]> {
    if (images.length === 0) return [];
    return (await this.#ask({ kind: 'candidates', images, range, most })) as readonly number[][];
  }

  async same(image: AlignedFaceImage, details: readonly StoredFramePart[]): Promise<boolean> {
    if (details.length === 0) return false;
    return (await this.#ask({ kind: 'same', image, details })) as boolean;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #ask(question: FrameQuestion): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const job = ++this.#number;
      this.#jobs.set(job, { resolve, reject });
      this.#worker?.ref();
      this.#send({ ...question, job });
    });
  }

  #send(command: FrameCommand): void {
    if (!this.#worker) throw new Error('the thread of frames ended');
    this.#worker.postMessage(command);
  }

  #take(reply: FrameReply): void {
    const job = this.#jobs.get(reply.job);
    this.#jobs.delete(reply.job);
    if (this.#jobs.size === 0) this.#worker?.unref();
    if ('answer' in reply) job?.resolve(reply.answer);
    else job?.reject(new Error(reply.error));
  }
}
