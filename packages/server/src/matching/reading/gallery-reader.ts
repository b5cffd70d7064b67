import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { ReaderOptions } from '../../store/database/session.ts';
import type { GalleryRecord } from '../../store/gallery-store.ts';
import type { Match } from '../matcher.ts';
import type { MatrixFace, PackedRows } from '../matrix/matrix-rows.ts';
import type { Arenas, MemorySegment, SegmentRequest } from '../scan/arenas.ts';
import type { WasmMemory } from '../scan/kernel.ts';
import { WorkerThread } from '../worker-thread.ts';

export interface ReaderWorkerData {
  readonly options: ReaderOptions;
  /** For memory requests. */
  readonly allocatorPort: MessagePort;
  /** Int32: 0 while a memory request is unanswered. */
  readonly answered: SharedArrayBuffer;
}

/** Result to produce: a whole matrix, the next faces or user_ids, or the best `k`. */
export type ReadPurpose =
  | { readonly for: 'matrix' }
  | { readonly for: 'slice'; readonly after: number; readonly limit: number }
  | { readonly for: 'list'; readonly after: string; readonly limit: number }
  | { readonly for: 'search'; readonly probe: Float32Array; readonly k: number };

/** A job of the worker. */
export interface ReadJob {
  readonly job: number;
  readonly gallery: number;
  readonly key: Uint8Array;
  readonly purpose: ReadPurpose;
}

/** As `FaceStore.slice`, with the templates of its faces in one array. */
export interface OpenedSlice {
  readonly version: number;
  readonly total: number;
  readonly faces: readonly MatrixFace[];
  readonly templates: Float32Array;
  /** Places in `faces` of those whose templates do not open. */
  readonly damaged: readonly number[];
}

/** A face whose templates do not open. */
export type DamagedFace = Pick<MatrixFace, 'userId' | 'seq'>;

export type ReaderCommand = ReadJob | { readonly cancel: number } | { readonly close: true };

/** Progress of a job (`read`: number of faces) or its result. */
export type ReaderReport = { readonly job: number } & (
  | { readonly read: number }
  | { readonly rows: PackedRows; readonly version: number; readonly damaged: readonly DamagedFace[] }
  | { readonly slice: OpenedSlice }
  | { readonly userIds: string[] }
  | { readonly matches: Match[]; readonly damaged: readonly number[] }
  | { readonly failed: string }
);

/** Request for memory; the worker blocks until it is answered. */
export interface AllocationRequest {
  readonly job: number;
  readonly wanted: readonly SegmentRequest[];
}

export type Allocation =
  | { readonly pieces: MemorySegment[]; readonly memories: readonly WasmMemory[] }
  | { readonly refused: string };

/** Faces written up to `version`; some may have been removed since. */
export interface BuiltRows {
  readonly rows: PackedRows;
  readonly version: number;
  readonly damaged: readonly DamagedFace[];
}

interface GalleryReaderDependencies {
  readonly options: ReaderOptions;
  readonly vault: TemplateVault;
  readonly arenas: Arenas;
  /** Minimum number of faces of a gallery for the worker. */
  readonly from: number;
  /** Called when the thread was lost. */
  readonly warn: (line: string) => void;
}

/** A thread without progress for so long is terminated; a database statement may take ten seconds. */
const idleTimeoutMs = 30_000;

/** After a loss of the thread, galleries are read on the main thread for so long. */
const cooldownMs = 60_000;

interface Job {
  readonly gallery: number;
  readonly key: Uint8Array;
  /** Memory allocated for it, by address. */
  readonly segments: Map<string, MemorySegment>;
  readonly done: (report: ReaderReport | null) => void;
}

/**
 * Reads and opens galleries in a worker, so that the event loop stays free: builds whole matrices in shared memory, opens
 * slices of newer faces, and searches galleries that exceed the memory budget. The worker starts on demand and does not
 * keep the process alive.
 */
export class GalleryReader {
  readonly #parts: GalleryReaderDependencies;
  readonly #jobs = new Map<number, Job>();
  #thread: ReaderThread | null = null;
  #last = 0;
  #lastReportAt = 0;
  #watchdog: NodeJS.Timeout | undefined;
  #cooldownEndsAt = 0;
  #closed = false;

  constructor(parts: GalleryReaderDependencies) {
    this.#parts = parts;
  }

  /** Whether it reads galleries of so many faces at present. */
  accepts(faces: number): boolean {
    return this.#available && faces >= this.#parts.from;
  }

  get #available(): boolean {
    return !this.#closed && performance.now() >= this.#cooldownEndsAt;
  }

  /**
   * @returns rows whose memory the caller owns; null when it failed or was cancelled: reading the gallery on the main
   *   thread reports why
   */
  async build(gallery: GalleryRecord): Promise<BuiltRows | null> {
    const report = await this.#read(gallery, { for: 'matrix' });
    return report && 'rows' in report ? report : null;
  }

  /** @returns the next `limit` faces written after the version `after`, or null as `build` */
  async slice(gallery: GalleryRecord, after: number, limit: number): Promise<OpenedSlice | null> {
    const report = await this.#read(gallery, { for: 'slice', after, limit });
    return report && 'slice' in report ? report.slice : null;
  }

  /** @returns the next `limit` user_ids, as `FaceStore.list`, or null as `build` */
  async list(gallery: GalleryRecord, after: string, limit: number): Promise<string[] | null> {
    const report = await this.#read(gallery, { for: 'list', after, limit });
    return report && 'userIds' in report ? report.userIds : null;
  }

  /** @returns the best `k`, as `Matcher.search`, with the seqs of templates that do not open, or null as `build` */
  async search(
    gallery: GalleryRecord,
    probe: Float32Array,
    k: number,
    signal?: AbortSignal,
  ): Promise<{ readonly matches: Match[]; readonly damaged: readonly number[] } | null> {
    // A copy, since posting a view sends its whole buffer.
    const report = await this.#read(gallery, { for: 'search', probe: probe.slice(), k }, signal);
    return report && 'matches' in report ? report : null;
  }

  /** Erases the key of a gallery that is being read: no more of its templates can be opened. */
  cancel(gallery: number): void {
    for (const [number, job] of this.#jobs) {
      if (job.gallery !== gallery) continue;
      job.key.fill(0);
      this.#thread?.send({ cancel: number });
    }
  }

  /** Cancels all jobs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { gallery } of this.#jobs.values()) this.cancel(gallery);
    await this.#thread?.close();
    this.#lost();
  }

  #read(gallery: GalleryRecord, purpose: ReadPurpose, signal?: AbortSignal): Promise<ReaderReport | null> {
    if (!this.#available) return Promise.resolve(null);
    const job = ++this.#last;
    const key = this.#parts.vault.sharedKey(gallery);
    const thread = this.#started();
    if (this.#jobs.size === 0) this.#lastReportAt = performance.now();
    this.#watchdog ??= setInterval(() => this.#requireProgress(), idleTimeoutMs / 10);
    const cancel = () => this.#jobs.has(job) && this.#thread?.send({ cancel: job });
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<ReaderReport | null>((done) => {
      this.#jobs.set(job, { gallery: gallery.id, key, segments: new Map(), done });
      thread.send({ job, gallery: gallery.id, key, purpose });
    }).finally(() => signal?.removeEventListener('abort', cancel));
  }

  #started(): ReaderThread {
    this.#thread ??= new ReaderThread(this.#parts.options, {
      allocate: (number, wanted) => {
        const job = this.#jobs.get(number);
        if (!job) throw new Error('the job was cancelled');
        const pieces = this.#parts.arenas.allocate(wanted);
        for (const piece of pieces) job.segments.set(placeOf(piece), piece);
        return { pieces, memories: this.#parts.arenas.memories };
      },
      onReport: (report) => this.#report(report),
      onExit: (reason) => {
        if (!this.#closed) this.#parts.warn(`the thread that reads galleries was lost: ${reason}`);
        this.#cooldownEndsAt = performance.now() + cooldownMs;
        this.#lost();
      },
    });
    this.#thread.setBusy(true);
    return this.#thread;
  }

  #report(report: ReaderReport): void {
    this.#lastReportAt = performance.now();
    const job = this.#jobs.get(report.job);
    if (!job || 'read' in report) return;
    const blocks = 'rows' in report ? report.rows.blocks : [];
    for (const { scanned, rest: other, text } of blocks) {
      for (const piece of [scanned, other, text]) job.segments.delete(placeOf(piece));
    }
    this.#end(report.job, job, report);
  }

  /** Releases the memory of a job, to which the thread no longer writes. */
  #end(number: number, { key, segments, done }: Job, report: ReaderReport | null): void {
    key.fill(0);
    for (const piece of segments.values()) this.#parts.arenas.release(piece);
    this.#jobs.delete(number);
    done(report);
    if (this.#jobs.size > 0) return;
    this.#thread?.setBusy(false);
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
  }

  /** Ends all jobs of a thread that has ended. */
  #lost(): void {
    this.#thread = null;
    for (const [number, job] of this.#jobs) this.#end(number, job, null);
  }

  #requireProgress(): void {
    if (performance.now() - this.#lastReportAt > idleTimeoutMs)
      this.#thread?.terminate('it made no progress');
  }
}

function placeOf({ arena, address }: MemorySegment): string {
  return `${arena}:${address}`;
}

interface ReadingEvents {
  /** @throws Error when the job was cancelled or there is no memory */
  allocate(
    job: number,
    wanted: readonly SegmentRequest[],
  ): { pieces: MemorySegment[]; memories: readonly WasmMemory[] };
  onReport(report: ReaderReport): void;
  /** Called once, when the thread has ended: it does not write to memory after it. */
  onExit(reason: string): void;
}

/** The worker that reads galleries. */
class ReaderThread {
  readonly #thread: WorkerThread<ReaderCommand, ReaderReport>;
  readonly #allocatorPort: MessagePort;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #events: ReadingEvents;
  /** Number of memories sent to it. */
  #known = 0;

  constructor(options: ReaderOptions, events: ReadingEvents) {
    const { port1, port2 } = new MessageChannel();
    this.#allocatorPort = port1;
    this.#events = events;
    const answered = this.#answered.buffer as SharedArrayBuffer;
    const data: ReaderWorkerData = { options, allocatorPort: port2, answered };
    this.#thread = new WorkerThread('reading/reading-worker', {
      data,
      transfer: [port2],
      onMessage: (report: ReaderReport) => events.onReport(report),
      onExit: (reason = 'it ended') => {
        port1.close();
        events.onExit(String(reason));
      },
    });
    port1.on('message', (request: AllocationRequest) => this.#answer(request));
  }

  send(order: ReaderCommand): void {
    this.#thread.send(order);
  }

  /** @param busy keeps the process alive */
  setBusy(busy: boolean): void {
    this.#thread.setBusy(busy);
    if (busy) this.#allocatorPort.ref();
    else this.#allocatorPort.unref();
  }

  terminate(reason: string): void {
    void this.#thread.terminate(reason);
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    this.#allocatorPort.ref();
    await this.#thread.close();
  }

  #answer({ job, wanted }: AllocationRequest): void {
    this.#allocatorPort.postMessage(this.#allocate(job, wanted));
    Atomics.store(this.#answered, 0, 1);
    Atomics.notify(this.#answered, 0);
  }

  #allocate(job: number, wanted: readonly SegmentRequest[]): Allocation {
    try {
      const { pieces, memories } = this.#events.allocate(job, wanted);
      const allocation = { pieces, memories: memories.slice(this.#known) };
      this.#known = memories.length;
      return allocation;
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }
}
