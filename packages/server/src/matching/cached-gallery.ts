import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { FaceStore, GalleryRecord } from '../store/store.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import type { Match } from './matcher.ts';
import { GalleryMatrix } from './matrix/gallery-matrix.ts';
import type { MatrixFace } from './matrix/matrix-rows.ts';
import { type OpenableSlice, readSlice, readUserIds } from './next-slice.ts';
import type { GalleryReader } from './reading/gallery-reader.ts';
import type { Arenas } from './scan/arenas.ts';
import type { Scanner } from './scan/scanner.ts';

/** One change of a gallery: it brings the matrix from the version before to `version`. */
export type GalleryChange = { readonly version: number } & (
  | { readonly face: MatrixFace; readonly template: Float32Array }
  | { readonly removed: string }
);

/** What matching reads of the store. */
export type FaceSource = Pick<FaceStore, 'slice' | 'list' | 'get'>;

/** What the galleries of one matcher share. */
export interface MatcherDependencies {
  readonly faces: FaceSource;
  readonly vault: TemplateVault;
  readonly arenas: Arenas;
  readonly scanner: Scanner;
  /** Null: there is no other thread that could read. */
  readonly reader: GalleryReader | null;
}

/** Faces read at a time: what SQLite reads in 1 or 2 ms, and few enough journeys to a database elsewhere. */
export const sliceFaces = 200;

/** Faces that are put in at once, in one turn of the event loop: 1 ms. */
const maxImmediateFaces = 50;

/** Changes kept for later; more than that are read from the store instead. */
const maxPendingChanges = 10_000;

/** After so many lists of those that are left, each out of date before it could be compared, a reading is given up. */
const maxListings = 20;

/** user_ids read at a time. */
const listLimit = 500;

/** The matrix of one gallery, and how it keeps up: by the changes it is told of, or from the store. */
export class CachedGallery {
  readonly #parts: MatcherDependencies;
  /** Told of before their turn: out of order, or while the store is being read. */
  readonly #waiting = new Map<number, GalleryChange>();
  #matrix: GalleryMatrix;
  /** The gallery's version that the matrix stands for. Every gallery is empty at version 0. */
  #version = 0;
  #reading: Promise<boolean> | null = null;
  /** The matrix stands for no version: what was read is not yet complete. */
  #partial = false;
  #users = 0;
  #disposed = false;

  constructor(parts: MatcherDependencies) {
    this.#parts = parts;
    this.#matrix = new GalleryMatrix(parts.arenas, parts.scanner);
  }

  get bytes(): number {
    return this.#matrix.bytes;
  }

  /** @returns null when the matrix does not stand for this version or a newer one */
  async search(version: number, probe: Float32Array, k: number): Promise<Match[] | null> {
    while (this.#partial || this.#matrix.needsCompaction) {
      // Should the reading fail, that is for those to know who asked for it.
      if (this.#partial) await this.#reading?.catch(() => null);
      else await this.#matrix.whenIdle();
    }
    return this.#version < version ? null : this.#matrix.search(probe, k);
  }

  apply(change: GalleryChange): void {
    if (change.version <= this.#version) return;
    this.#waiting.set(change.version, change);
    // While the store is read, nothing may change that the reading is added to.
    if (!this.#reading) this.#applyWaiting();
    if (this.#waiting.size > maxPendingChanges) this.#waiting.clear();
  }

  /**
   * Reads from the store what is missing; who asks meanwhile shares the reading.
   * @returns false when the gallery is gone
   */
  refresh(gallery: GalleryRecord): Promise<boolean> {
    this.#reading ??= this.#read(gallery).finally(() => {
      this.#reading = null;
      if (this.#partial) this.#restart();
      this.#partial = false;
      this.#applyWaiting();
    });
    return this.#reading;
  }

  /** Keeps the memory until `work` is done, even when the gallery is disposed of meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work();
    } finally {
      this.#users--;
      this.#release();
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#release();
  }

  #release(): void {
    if (this.#disposed && this.#users === 0) this.#matrix.dispose();
  }

  async #read(gallery: GalleryRecord): Promise<boolean> {
    // How new a copy of the store must be: what one slice has shown, the next may not take back.
    let version: number | undefined = gallery.version;
    let after = this.#version === 0 ? await this.#build(gallery) : this.#version;
    version = Math.max(version, after);
    const missing = gallery.version - after;
    const parts = this.#parts.reader?.accepts(missing) ? this.#parts : { ...this.#parts, reader: null };
    for (let listings = 0; ; ) {
      const slice: OpenableSlice | null = await readSlice(parts, gallery, after, sliceFaces, version);
      if (!slice) return false;
      if (version !== undefined) version = Math.max(version, slice.version);
      if (this.#addAtOnce(slice)) return true;
      // Until it is whole nobody searches.
      this.#partial = true;
      await this.#matrix.whenIdle();
      if (!(await this.#add(slice))) {
        // Emptied in between, and filled with templates of another length.
        this.#restart();
        after = 0;
        continue;
      }
      if (slice.faces.length === sliceFaces) {
        after = slice.faces.at(-1)!.seq;
        await nextTurn();
        continue;
      }
      if (await this.#isWhole(slice)) return true;
      if (listings++ === maxListings) throw new Error(`gallery ${gallery.id}: others change it too fast`);
      await this.#removeMissed(gallery);
      after = slice.version;
      // The list was the store's own, so what is compared with it must be, too.
      version = undefined;
    }
  }

  /**
   * Has another thread read a large gallery from the beginning. Who was removed meanwhile may still be there.
   * @returns the version whose faces are there; 0 when it was not done
   */
  async #build(gallery: GalleryRecord): Promise<number> {
    const { reader } = this.#parts;
    if (!reader?.accepts(gallery.faces)) return 0;
    // Until it is whole nobody searches.
    this.#partial = true;
    const built = await reader.build(gallery);
    if (!built) return 0;
    await this.#matrix.whenIdle();
    await this.#matrix.replaceRows(built.rows);
    return built.version;
  }

  /**
   * The usual case: few faces, and no removal that was not told. It takes one turn, so searches that are running see
   * the gallery before or after.
   * @returns false when it is not so; then nothing was done
   */
  #addAtOnce(slice: OpenableSlice): boolean {
    const { faces, version, total } = slice;
    if (faces.length > maxImmediateFaces) return false;
    const templates = faces.map((_, index) => slice.template(index));
    const written = new Set(faces.map(({ userId }) => userId));
    const removed = this.#removalsTold(version).filter((userId) => !written.has(userId));
    const added = faces.filter(({ userId }) => this.#matrix.seqOf(userId) === null).length;
    const kept = this.#matrix.size - removed.length;
    const fits = ({ length }: Float32Array) =>
      length === templates[0]!.length && (kept === 0 || this.#matrix.fits(length));
    if (kept + added !== total || !templates.every(fits)) return false;
    for (const userId of removed) this.#matrix.remove(userId);
    for (const [index, face] of faces.entries()) this.#matrix.put(face, templates[index]!);
    this.#version = version;
    this.#partial = false;
    return true;
  }

  /** @returns false when the templates have another length than those that are there */
  async #add(slice: OpenableSlice): Promise<boolean> {
    const turns = new EventLoopYielder();
    for (const [index, face] of slice.faces.entries()) {
      if (turns.shouldYield) await turns.yield();
      const template = slice.template(index);
      if (!this.#matrix.fits(template.length)) return false;
      this.#matrix.put(face, template);
    }
    return true;
  }

  /** Whether the matrix holds what the gallery had: it has all that was written, but removals leave no trace. */
  async #isWhole({ version, total }: { version: number; total: number }): Promise<boolean> {
    for (const patient of [false, true]) {
      // Who removes tells of it a moment after the store did it.
      if (patient) await nextTurn();
      for (const userId of this.#removalsTold(version)) this.#matrix.remove(userId);
      if (this.#matrix.size === total) {
        this.#version = version;
        this.#partial = false;
        return true;
      }
    }
    return false;
  }

  /** Who was removed up to a version, and is still in the matrix. */
  #removalsTold(version: number): string[] {
    const removed = new Set<string>();
    for (const change of this.#waiting.values()) {
      if (change.version > version || !('removed' in change)) continue;
      const seq = this.#matrix.seqOf(change.removed);
      // Not one who was enrolled again afterwards.
      if (seq !== null && ((change.version - seq) | 0) > 0) removed.add(change.removed);
    }
    return [...removed];
  }

  /** Another server removed somebody: who, only the list of those that are left says. */
  async #removeMissed(gallery: GalleryRecord): Promise<void> {
    const { reader } = this.#parts;
    const parts = reader?.accepts(this.#matrix.size) ? this.#parts : { ...this.#parts, reader: null };
    const left = new Set<string>();
    for (let after = ''; ; await nextTurn()) {
      const userIds = await readUserIds(parts, gallery, after, listLimit);
      for (const userId of userIds) left.add(userId);
      if (userIds.length < listLimit) break;
      after = userIds.at(-1)!;
    }
    const turns = new EventLoopYielder();
    for (const userId of this.#matrix.userIds()) {
      if (!left.has(userId)) this.#matrix.remove(userId);
      if (turns.shouldYield) await turns.yield();
    }
  }

  #restart(): void {
    this.#matrix.dispose();
    this.#matrix = new GalleryMatrix(this.#parts.arenas, this.#parts.scanner);
    this.#version = 0;
  }

  #applyWaiting(): void {
    for (const version of this.#waiting.keys()) if (version <= this.#version) this.#waiting.delete(version);
    for (;;) {
      const next = this.#waiting.get(this.#version + 1);
      if (!next) return;
      this.#waiting.delete(next.version);
      if ('removed' in next) this.#matrix.remove(next.removed);
      else this.#matrix.put(next.face, next.template);
      this.#version = next.version;
    }
  }
}
