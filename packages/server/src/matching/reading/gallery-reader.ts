import type { TemplateVault } from '../../security/vaults/template-vault.ts';
import type { FaceReaderAddress } from '../../store/face-reader.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { Match } from '../matcher.ts';
import type { Arenas, Piece } from '../scan/arenas.ts';
import type { Built } from './build-rows.ts';
import type { OpenedSlice, Purpose, ReadingReport } from './messages.ts';
import { ReadingThread } from './reading-thread.ts';

interface GalleryReaderParts {
  readonly address: FaceReaderAddress;
  readonly vault: TemplateVault;
  readonly arenas: Arenas;
  /** Galleries of fewer faces are not worth the way to another thread. */
  readonly from: number;
  /** Told when the thread was lost. */
  readonly warn: (line: string) => void;
}

/** Who has not said a word for so long is lost. Milliseconds; a statement of a database may take ten seconds. */
const silence = 30_000;

/** After a loss galleries are read elsewhere for so long. Milliseconds. */
const rest = 60_000;

interface Job {
  readonly gallery: number;
  readonly key: Uint8Array;
  /** What the thread was lent for it, by place. */
  readonly lent: Map<string, Piece>;
  readonly done: (report: ReadingReport | null) => void;
}

/**
 * Reads and opens galleries in a thread, several in turns, so that the event loop stays free: codes whole ones in
 * memory that it hands out, opens what others wrote since, or finds the best of those that memory cannot hold.
 * The thread starts when it is needed first and does not keep the process alive.
 */
export class GalleryReader {
  readonly #parts: GalleryReaderParts;
  readonly #jobs = new Map<number, Job>();
  #thread: ReadingThread | null = null;
  #last = 0;
  #heard = 0;
  #watch: NodeJS.Timeout | undefined;
  #restsUntil = 0;
  #closed = false;

  constructor(parts: GalleryReaderParts) {
    this.#parts = parts;
  }

  /** Whether it is worth asking for so many faces: there is a thread or can be one. */
  takes(faces: number): boolean {
    return this.#works && faces >= this.#parts.from;
  }

  get #works(): boolean {
    return !this.#closed && performance.now() >= this.#restsUntil;
  }

  /**
   * @returns rows whose memory is the caller's; null when it could not be done or was given up: whoever reads the
   *   gallery otherwise finds out why
   */
  async build(gallery: GalleryRecord): Promise<Built | null> {
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
  forget(gallery: number): void {
    for (const [number, job] of this.#jobs) {
      if (job.gallery !== gallery) continue;
      job.key.fill(0);
      this.#thread?.tell({ giveUp: number });
    }
  }

  /** Gives up what is being read. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { gallery } of this.#jobs.values()) this.forget(gallery);
    await this.#thread?.close();
    this.#lost();
  }

  #read(gallery: GalleryRecord, purpose: Purpose): Promise<ReadingReport | null> {
    if (!this.#works) return Promise.resolve(null);
    const job = ++this.#last;
    const key = this.#parts.vault.sharedKey(gallery);
    const thread = this.#started();
    if (this.#jobs.size === 0) this.#heard = performance.now();
    this.#watch ??= setInterval(() => this.#requireAlive(), silence / 10);
    return new Promise((done) => {
      this.#jobs.set(job, { gallery: gallery.id, key, lent: new Map(), done });
      thread.tell({ job, gallery: gallery.id, version: gallery.version, key, purpose });
    });
  }

  #started(): ReadingThread {
    this.#thread ??= new ReadingThread(this.#parts.address, {
      lend: (number, wanted) => {
        const job = this.#jobs.get(number);
        if (!job) throw new Error('it was given up');
        const pieces = this.#parts.arenas.allocate(wanted);
        for (const piece of pieces) job.lent.set(placeOf(piece), piece);
        return { pieces, memories: this.#parts.arenas.memories };
      },
      report: (report) => this.#report(report),
      lost: (reason) => {
        if (!this.#closed) this.#parts.warn(`the thread that reads galleries was lost: ${reason}`);
        this.#restsUntil = performance.now() + rest;
        this.#lost();
      },
    });
    this.#thread.hold(true);
    return this.#thread;
  }

  #report(report: ReadingReport): void {
    this.#heard = performance.now();
    const job = this.#jobs.get(report.job);
    if (!job || 'read' in report) return;
    const blocks = 'rows' in report ? report.rows.blocks : [];
    for (const { scanned, rest: other, text } of blocks) {
      for (const piece of [scanned, other, text]) job.lent.delete(placeOf(piece));
    }
    this.#end(report.job, job, report);
  }

  /** The thread no longer writes where it was lent memory for the job. */
  #end(number: number, { key, lent, done }: Job, report: ReadingReport | null): void {
    key.fill(0);
    for (const piece of lent.values()) this.#parts.arenas.release(piece);
    this.#jobs.delete(number);
    done(report);
    if (this.#jobs.size > 0) return;
    this.#thread?.hold(false);
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Of a thread that has ended. */
  #lost(): void {
    this.#thread = null;
    for (const [number, job] of this.#jobs) this.#end(number, job, null);
  }

  #requireAlive(): void {
    if (performance.now() - this.#heard > silence) this.#thread?.end('it says nothing any more');
  }
}

function placeOf({ arena, address }: Piece): string {
  return `${arena}:${address}`;
}
