import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { FaceReaderOptions } from '../../store/options.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { Match } from '../matcher.ts';
import type { Arenas, MemorySegment } from '../scan/arenas.ts';
import type { BuiltRows } from './build-rows.ts';
import type { OpenedSlice, ReaderReport, ReadPurpose } from './messages.ts';
import { ReaderThread } from './reading-thread.ts';

interface GalleryReaderDependencies {
  readonly options: FaceReaderOptions;
  readonly vault: TemplateVault;
  readonly arenas: Arenas;
  /** Galleries of fewer faces are not worth the way to another thread. */
  readonly from: number;
  /** Told when the thread was lost. */
  readonly warn: (line: string) => void;
}

/** Who has not said a word for so long is lost. Milliseconds; a statement of a database may take ten seconds. */
const idleTimeoutMs = 30_000;

/** After a loss galleries are read elsewhere for so long. Milliseconds. */
const cooldownMs = 60_000;

interface Job {
  readonly gallery: number;
  readonly key: Uint8Array;
  /** What the thread was lent for it, by place. */
  readonly segments: Map<string, MemorySegment>;
  readonly done: (report: ReaderReport | null) => void;
}

/**
 * Reads and opens galleries in a thread, several in turns, so that the event loop stays free: codes whole ones in
 * memory that it hands out, opens what others wrote since, or finds the best of those that memory cannot hold.
 * The thread starts when it is needed first and does not keep the process alive.
 */
export class GalleryReader {
  readonly #parts: GalleryReaderDependencies;
  readonly #jobs = new Map<number, Job>();
  #thread: ReaderThread | null = null;
  #last = 0;
  #heard = 0;
  #watch: NodeJS.Timeout | undefined;
  #restsUntil = 0;
  #closed = false;

  constructor(parts: GalleryReaderDependencies) {
    this.#parts = parts;
  }

  /** Whether it is worth asking for so many faces: there is a thread or can be one. */
  accepts(faces: number): boolean {
    return this.#works && faces >= this.#parts.from;
  }

  get #works(): boolean {
    return !this.#closed && performance.now() >= this.#restsUntil;
  }

  /**
   * @returns rows whose memory is the caller's; null when it could not be done or was given up: whoever reads the
   *   gallery otherwise finds out why
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

  /** @returns the best `k`, as `Matcher.search`, or null as `build` */
  async search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[] | null> {
    // Of a view all that lies beneath it would be sent.
    const report = await this.#read(gallery, { for: 'search', probe: probe.slice(), k });
    return report && 'matches' in report ? report.matches : null;
  }

  /** Takes the key of a gallery from who reads it: from here on nothing of it opens. */
  cancel(gallery: number): void {
    for (const [number, job] of this.#jobs) {
      if (job.gallery !== gallery) continue;
      job.key.fill(0);
      this.#thread?.send({ cancel: number });
    }
  }

  /** Gives up what is being read. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { gallery } of this.#jobs.values()) this.cancel(gallery);
    await this.#thread?.close();
    this.#lost();
  }

  #read(gallery: GalleryRecord, purpose: ReadPurpose): Promise<ReaderReport | null> {
    if (!this.#works) return Promise.resolve(null);
    const job = ++this.#last;
    const key = this.#parts.vault.sharedKey(gallery);
    const thread = this.#started();
    if (this.#jobs.size === 0) this.#heard = performance.now();
    this.#watch ??= setInterval(() => this.#requireAlive(), idleTimeoutMs / 10);
    return new Promise((done) => {
      this.#jobs.set(job, { gallery: gallery.id, key, segments: new Map(), done });
      thread.send({ job, gallery: gallery.id, version: gallery.version, key, purpose });
    });
  }

  #started(): ReaderThread {
    this.#thread ??= new ReaderThread(this.#parts.options, {
      allocate: (number, wanted) => {
        const job = this.#jobs.get(number);
        if (!job) throw new Error('it was given up');
        const pieces = this.#parts.arenas.allocate(wanted);
        for (const piece of pieces) job.segments.set(placeOf(piece), piece);
        return { pieces, memories: this.#parts.arenas.memories };
      },
      onReport: (report) => this.#report(report),
      onExit: (reason) => {
        if (!this.#closed) this.#parts.warn(`the thread that reads galleries was lost: ${reason}`);
        this.#restsUntil = performance.now() + cooldownMs;
        this.#lost();
      },
    });
    this.#thread.setBusy(true);
    return this.#thread;
  }

  #report(report: ReaderReport): void {
    this.#heard = performance.now();
    const job = this.#jobs.get(report.job);
    if (!job || 'read' in report) return;
    const blocks = 'rows' in report ? report.rows.blocks : [];
    for (const { scanned, rest: other, text } of blocks) {
      for (const piece of [scanned, other, text]) job.segments.delete(placeOf(piece));
    }
    this.#end(report.job, job, report);
  }

  /** The thread no longer writes where it was lent memory for the job. */
  #end(number: number, { key, segments: lent, done }: Job, report: ReaderReport | null): void {
    key.fill(0);
    for (const piece of lent.values()) this.#parts.arenas.release(piece);
    this.#jobs.delete(number);
    done(report);
    if (this.#jobs.size > 0) return;
    this.#thread?.setBusy(false);
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Of a thread that has ended. */
  #lost(): void {
    this.#thread = null;
    for (const [number, job] of this.#jobs) this.#end(number, job, null);
  }

  #requireAlive(): void {
    if (performance.now() - this.#heard > idleTimeoutMs) this.#thread?.terminate('it says nothing any more');
  }
}

function placeOf({ arena, address }: MemorySegment): string {
  return `${arena}:${address}`;
}
