import type { AlignedFaceImage, PerceptualHash } from '@wajah/engine';
import { inTime } from '../../lib/deadline.ts';
import type { Keys } from '../../security/vaults/sealing.ts';
import type { ReaderOptions } from '../../store/database/session.ts';
import { WorkerThread } from '../worker-thread.ts';

type FramePairs = readonly (readonly [number, number])[];

export type FrameIndex = ReturnType<typeof createFrameIndex>;

/**
 * Compares frames with each other and with those that were used in sessions of any client, on any server of the store.
 * A worker does everything: it reads the store over a connection of its own, opens the hashes and compares. It starts on
 * demand. Before each search it reads what was recorded since the last one, so a search is right at any time.
 */
export function createFrameIndex(data: FrameWorkerData, { timeoutMs = 20_000 } = {}) {
  const thread = new FrameThread(data);
  const late = () => {
    throw new FramesUnavailable('remembered frames are being loaded');
  };
  const refresh = async () => (await thread.ask({ kind: 'refresh' })) as number;
  const decide = async (question: FrameQuestion) =>
    (await inTime(thread.ask(question), timeoutMs, late)) as boolean[];
  return {
    /** Starts to load the remembered frames, unless it has. */
    warm(): void {
      if (!thread.running) void refresh().catch(() => undefined);
    },
    /** Takes over what was recorded and erased; it does so by itself every minute. @returns number of hashes in memory */
    refresh,
    /**
     * @param before an id of `FrameStore.record`; only frames recorded earlier are found. Infinity: all
     * @returns for each frame whether it is the same picture as a remembered one
     * @throws FramesUnavailable
     */
    async findUsed(frames: readonly SearchedFrame[], before: number): Promise<boolean[]> {
      if (frames.length === 0) return [];
      const copies = frames.map(({ digest, image }) => ({
        digest: new Uint8Array(digest),
        image: image && copyOf(image),
      }));
      return decide({ kind: 'search', frames: copies, before });
    },
    /**
     * @param pairs places in `frames`
     * @returns for each pair whether both are the same picture
     * @throws FramesUnavailable
     */
    async findSame(frames: readonly PerceptualHash[], pairs: FramePairs): Promise<boolean[]> {
      if (pairs.length === 0) return [];
      const copies = frames.map(({ bits, image }) => ({ bits: new Uint8Array(bits), image: copyOf(image) }));
      return decide({ kind: 'compare', frames: copies, pairs });
    },
    close: () => thread.close(),
  };
}

/** Posting a view sends its whole buffer. */
function copyOf({ luma, inside }: AlignedFaceImage): AlignedFaceImage {
  return { luma: new Uint8Array(luma), inside: new Uint8Array(inside) };
}

/** What the worker of frames starts with. */
export interface FrameWorkerData {
  readonly options: ReaderOptions;
  /** `FrameVault.keys` */
  readonly keys: Keys;
  /** How long frames are remembered. */
  readonly hours: number;
}

/** A frame to look for. */
export interface SearchedFrame {
  /** Of `FrameVault.digest`. */
  readonly digest: Uint8Array;
  /** Undefined: only the digest is looked for. */
  readonly image: AlignedFaceImage | undefined;
}

export type FrameQuestion =
  /** Reads what was recorded and erased; the number of hashes. */
  | { readonly kind: 'refresh' }
  /** For each frame whether it is the same picture as one with an id below `before`. */
  | {
      readonly kind: 'search';
      readonly frames: readonly SearchedFrame[];
      readonly before: number;
    }
  /** For each pair of frames, by their places, whether they are the same picture. */
  | {
      readonly kind: 'compare';
      readonly frames: readonly PerceptualHash[];
      readonly pairs: FramePairs;
    };

export type FrameAnswer = number | boolean[];

export type FrameCommand =
  | { readonly job: number; readonly question: FrameQuestion }
  | { readonly close: true };

export type FrameReply = { readonly job: number } & (
  | { readonly answer: FrameAnswer }
  /** `unavailable`: the store was. */
  | { readonly error: string; readonly unavailable: boolean }
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
class FrameThread {
  readonly #data: FrameWorkerData;
  readonly #jobs = new Map<number, Job>();
  #thread: WorkerThread<FrameCommand, FrameReply> | null = null;
  #number = 0;
  #closed = false;

  constructor(data: FrameWorkerData) {
    this.#data = data;
  }

  get running(): boolean {
    return this.#thread !== null;
  }

  /** @throws FramesUnavailable; Error when the index is closed or the thread ends */
  ask(question: FrameQuestion): Promise<FrameAnswer> {
    return new Promise((resolve, reject) => {
      const thread = this.#started();
      const job = ++this.#number;
      this.#jobs.set(job, { resolve, reject });
      thread.setBusy(true);
      thread.send({ job, question });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.close();
  }

  #started(): WorkerThread<FrameCommand, FrameReply> {
    if (this.#closed) throw new Error('the index of frames is closed');
    this.#thread ??= new WorkerThread('frames/frame-worker', {
      data: this.#data,
      onMessage: (reply: FrameReply) => this.#take(reply),
      onExit: (reason = new Error('the thread of frames ended')) => {
        this.#thread = null;
        for (const job of this.#jobs.values()) job.reject(reason);
        this.#jobs.clear();
      },
    });
    return this.#thread;
  }

  #take(reply: FrameReply): void {
    const job = this.#jobs.get(reply.job);
    this.#jobs.delete(reply.job);
    if (this.#jobs.size === 0) this.#thread?.setBusy(false);
    if ('answer' in reply) job?.resolve(reply.answer);
    else job?.reject(reply.unavailable ? new FramesUnavailable(reply.error) : new Error(reply.error));
  }
}
