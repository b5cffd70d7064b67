import type { TemplateVault } from '../../security/template-vault.ts';
import type { FaceReaderAddress } from '../../store/face-reader.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { Arenas, Piece } from '../scan/arenas.ts';
import type { Built } from './build-rows.ts';
import { BuildThread } from './build-thread.ts';
import type { BuilderReport } from './messages.ts';

export interface BuilderParts {
  readonly address: FaceReaderAddress;
  readonly vault: TemplateVault;
  readonly arenas: Arenas;
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
  readonly done: (built: Built | null) => void;
}

/**
 * Reads, opens and codes whole galleries in a thread, several in turns, so that the event loop only hands out memory.
 * The thread starts when it is needed first and does not keep the process alive.
 */
export class Builder {
  readonly #parts: BuilderParts;
  readonly #jobs = new Map<number, Job>();
  #thread: BuildThread | null = null;
  #last = 0;
  #heard = 0;
  #watch: NodeJS.Timeout | undefined;
  #restsUntil = 0;
  #closed = false;

  constructor(parts: BuilderParts) {
    this.#parts = parts;
  }

  /**
   * @returns rows whose memory is the caller's; null when it could not be done or was given up: whoever reads the
   *   gallery otherwise finds out why
   */
  build(gallery: GalleryRecord): Promise<Built | null> {
    if (this.#closed || performance.now() < this.#restsUntil) return Promise.resolve(null);
    const build = ++this.#last;
    const key = this.#parts.vault.sharedKey(gallery);
    const thread = this.#started();
    if (this.#jobs.size === 0) this.#heard = performance.now();
    this.#watch ??= setInterval(() => this.#requireAlive(), silence / 10);
    return new Promise((done) => {
      this.#jobs.set(build, { gallery: gallery.id, key, lent: new Map(), done });
      thread.tell({ build, gallery: gallery.id, version: gallery.version, key });
    });
  }

  /** Takes the key of a gallery from those that build it: from here on nothing of it opens. */
  forget(gallery: number): void {
    for (const [build, job] of this.#jobs) {
      if (job.gallery !== gallery) continue;
      job.key.fill(0);
      this.#thread?.tell({ giveUp: build });
    }
  }

  /** Gives up what is being built. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { gallery } of this.#jobs.values()) this.forget(gallery);
    await this.#thread?.close();
    this.#lost();
  }

  #started(): BuildThread {
    this.#thread ??= new BuildThread(this.#parts.address, {
      lend: (build, wanted) => {
        const job = this.#jobs.get(build);
        if (!job) throw new Error('it was given up');
        const pieces = this.#parts.arenas.allocate(wanted);
        for (const piece of pieces) job.lent.set(placeOf(piece), piece);
        return { pieces, memories: this.#parts.arenas.memories };
      },
      report: (report) => this.#report(report),
      lost: (reason) => {
        if (!this.#closed) this.#parts.warn(`the thread that loads galleries was lost: ${reason}`);
        this.#restsUntil = performance.now() + rest;
        this.#lost();
      },
    });
    this.#thread.hold(true);
    return this.#thread;
  }

  #report(report: BuilderReport): void {
    this.#heard = performance.now();
    const job = this.#jobs.get(report.build);
    if (!job || 'read' in report) return;
    const built = 'rows' in report ? report : null;
    for (const { scanned, rest: other, text } of built?.rows.blocks ?? []) {
      for (const piece of [scanned, other, text]) job.lent.delete(placeOf(piece));
    }
    this.#end(report.build, job, built);
  }

  /** The thread no longer writes where it was lent memory for the job. */
  #end(build: number, { key, lent, done }: Job, built: Built | null): void {
    key.fill(0);
    for (const piece of lent.values()) this.#parts.arenas.release(piece);
    this.#jobs.delete(build);
    done(built);
    if (this.#jobs.size > 0) return;
    this.#thread?.hold(false);
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Of a thread that has ended. */
  #lost(): void {
    this.#thread = null;
    for (const [build, job] of this.#jobs) this.#end(build, job, null);
  }

  #requireAlive(): void {
    if (performance.now() - this.#heard > silence) this.#thread?.end('it says nothing any more');
  }
}

function placeOf({ arena, address }: Piece): string {
  return `${arena}:${address}`;
}
