import { setImmediate as nextTurn } from 'node:timers/promises';
import { openedOrNull } from '../security/vaults/sealing.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { FaceStore } from '../store/face-store.ts';
import type { GalleryRecord } from '../store/gallery-store.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import { GalleryMatrix } from './matrix/gallery-matrix.ts';
import type { MatrixFace } from './matrix/matrix-rows.ts';
import type { GalleryReader } from './reading/gallery-reader.ts';
import type { Arenas } from './scan/arenas.ts';
import type { Scanner } from './scan/scanner.ts';

/** One change of a gallery, from the previous version to `version`. */
export type GalleryChange = { readonly version: number } & (
  | { readonly face: MatrixFace; readonly template: Float32Array }
  | { readonly removed: string }
);

/** The part of the store that matching reads. */
export type FaceSource = Pick<FaceStore, 'slice' | 'list' | 'get'>;

/** Shared by the galleries of one matcher. */
export interface MatcherDependencies {
  readonly faces: FaceSource;
  readonly vault: TemplateVault;
  readonly arenas: Arenas;
  readonly scanner: Scanner;
  /** Null: no worker thread. */
  readonly reader: GalleryReader | null;
  /** Is told of each template that does not open; `seq` names its row. */
  readonly onDamage: (gallery: GalleryRecord, seq: number) => void;
}

/** Faces read at a time: 1 or 2 ms in SQLite, and few round trips to a database server. */
export const sliceFaces = 200;

/** Maximum number of faces added in one turn of the event loop: 1 ms. */
const maxImmediateFaces = 50;

/** Maximum number of pending changes; beyond it they are read from the store. */
const maxPendingChanges = 10_000;

/** Maximum number of attempts to list the remaining users while others change the gallery. */
const maxListings = 20;

/** user_ids read at a time. */
const listLimit = 500;

/** The matrix of one gallery, kept current by reported changes or by reading the store. */
export class CachedGallery {
  readonly #parts: MatcherDependencies;
  /** Changes reported out of order or during a refresh, by version. */
  readonly #pending = new Map<number, GalleryChange>();
  /** Users whose templates do not open, with their seq: they are left out of the matrix. */
  readonly #damaged = new Map<string, number>();
  #matrix: GalleryMatrix;
  /** The gallery's version that the matrix holds; 0 is empty. */
  #version = 0;
  #reading: { readonly version: number; readonly done: Promise<boolean> } | null = null;
  /** A refresh is under way: the matrix holds no complete version. */
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

  /** Searches the matrix. @returns null when it is older than `version` */
  async search<T>(
    version: number,
    work: (matrix: GalleryMatrix) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | null> {
    while (this.#partial || this.#matrix.needsCompaction) {
      // A failed refresh rejects for its own caller.
      if (this.#partial) await this.#reading?.done.catch(() => null);
      else await this.#matrix.whenIdle();
    }
    signal?.throwIfAborted();
    return this.#version < version ? null : work(this.#matrix);
  }

  apply(change: GalleryChange): void {
    if (change.version <= this.#version) return;
    this.#pending.set(change.version, change);
    // During a refresh the matrix is changed by the refresh alone.
    if (!this.#reading) this.#applyPending();
    if (this.#pending.size > maxPendingChanges) this.#pending.clear();
  }

  /**
   * Reads newer faces from the store until the matrix has the version of `gallery`. Concurrent callers share one read.
   * @returns false when the gallery does not exist
   */
  async refresh(gallery: GalleryRecord): Promise<boolean> {
    while (this.#reading && this.#reading.version < gallery.version)
      await this.#reading.done.catch(() => null);
    if (this.#version >= gallery.version && !this.#partial) return true;
    this.#reading ??= { version: gallery.version, done: this.#readAndApply(gallery) };
    return this.#reading.done;
  }

  async #readAndApply(gallery: GalleryRecord): Promise<boolean> {
    try {
      return await this.#read(gallery);
    } finally {
      this.#reading = null;
      if (this.#partial) this.#restart();
      this.#partial = false;
      this.#applyPending();
    }
  }

  /** Keeps the memory until `work` is done, even when the gallery is disposed meanwhile. */
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
    let after = this.#version === 0 ? await this.#build(gallery) : this.#version;
    const missing = gallery.version - after;
    const parts = this.#parts.reader?.accepts(missing) ? this.#parts : { ...this.#parts, reader: null };
    for (let listings = 0; ; ) {
      const slice: OpenableSlice | null = await readSlice(parts, gallery, after, sliceFaces);
      if (!slice) return false;
      if (this.#applyAtOnce(gallery, slice)) return true;
      // Blocks searches until it is complete.
      this.#partial = true;
      await this.#matrix.whenIdle();
      if (!(await this.#add(gallery, slice))) {
        // Emptied meanwhile, and filled with templates of another length.
        this.#restart();
        after = 0;
        continue;
      }
      if (slice.faces.length === sliceFaces) {
        after = slice.faces.at(-1)!.seq;
        await nextTurn();
        continue;
      }
      if (await this.#isComplete(slice)) return true;
      if (listings++ === maxListings) throw new Error(`gallery ${gallery.id}: others change it too fast`);
      await this.#removeUnlisted(gallery);
      after = slice.version;
    }
  }

  /**
   * Builds a large gallery in the worker. Users who were removed meanwhile may still be in it.
   * @returns the version reached; 0 when the gallery was not built
   */
  async #build(gallery: GalleryRecord): Promise<number> {
    const { reader } = this.#parts;
    if (!reader?.accepts(gallery.faces)) return 0;
    // Blocks searches until it is complete.
    this.#partial = true;
    const built = await reader.build(gallery);
    if (!built) return 0;
    await this.#matrix.whenIdle();
    await this.#matrix.replaceRows(built.rows);
    this.#damaged.clear();
    for (const face of built.damaged) this.#leaveOut(gallery, face);
    return built.version;
  }

  /**
   * Applies a small slice without unknown removals in one turn of the event loop, so that searches see the gallery
   * before or after it.
   * @returns false when the slice is not of that kind; then nothing was changed
   */
  #applyAtOnce(gallery: GalleryRecord, slice: OpenableSlice): boolean {
    const { faces, version, total } = slice;
    if (faces.length > maxImmediateFaces) return false;
    const templates = faces.map((_, index) => slice.template(index));
    const written = new Set(faces.map(({ userId }) => userId));
    const removed = this.#reportedRemovals(version).filter((userId) => !written.has(userId));
    const added = faces.filter(({ userId }) => this.#seqOf(userId) === null).length;
    const kept = this.#size - removed.length;
    const length = templates.find((template) => template !== null)?.length;
    const fits = (template: Float32Array | null) =>
      template === null || (template.length === length && (kept === 0 || this.#matrix.fits(length)));
    if (kept + added !== total || !templates.every(fits)) return false;
    for (const userId of removed) this.#remove(userId);
    for (const [index, face] of faces.entries()) this.#put(gallery, face, templates[index] ?? null);
    this.#version = version;
    this.#partial = false;
    return true;
  }

  /** @returns false when the templates have another length than those in the matrix */
  async #add(gallery: GalleryRecord, slice: OpenableSlice): Promise<boolean> {
    const yielder = new EventLoopYielder();
    for (const [index, face] of slice.faces.entries()) {
      if (yielder.shouldYield) await yielder.yield();
      const template = slice.template(index);
      if (template && !this.#matrix.fits(template.length)) return false;
      this.#put(gallery, face, template);
    }
    return true;
  }

  /** Users in the matrix, or left out of it. */
  get #size(): number {
    return this.#matrix.size + this.#damaged.size;
  }

  #seqOf(userId: string): number | null {
    return this.#matrix.seqOf(userId) ?? this.#damaged.get(userId) ?? null;
  }

  #put(gallery: GalleryRecord, face: MatrixFace, template: Float32Array | null): void {
    if (template === null) this.#leaveOut(gallery, face);
    else {
      this.#damaged.delete(face.userId);
      this.#matrix.put(face, template);
    }
  }

  #leaveOut(gallery: GalleryRecord, { userId, seq }: Pick<MatrixFace, 'userId' | 'seq'>): void {
    this.#matrix.remove(userId);
    this.#damaged.set(userId, seq);
    this.#parts.onDamage(gallery, seq);
  }

  #remove(userId: string): void {
    this.#damaged.delete(userId);
    this.#matrix.remove(userId);
  }

  /** Compares the number of faces after a complete read: slices do not show removals. */
  async #isComplete({ version, total }: { version: number; total: number }): Promise<boolean> {
    for (const retry of [false, true]) {
      // A removal is reported just after it was committed.
      if (retry) await nextTurn();
      for (const userId of this.#reportedRemovals(version)) this.#remove(userId);
      if (this.#size === total) {
        this.#version = version;
        this.#partial = false;
        return true;
      }
    }
    return false;
  }

  /** Users whose removal up to `version` was reported and who are still in the matrix. */
  #reportedRemovals(version: number): string[] {
    const removed = new Set<string>();
    for (const change of this.#pending.values()) {
      if (change.version > version || !('removed' in change)) continue;
      const seq = this.#seqOf(change.removed);
      // Not users who were enrolled again afterwards.
      if (seq !== null && ((change.version - seq) | 0) > 0) removed.add(change.removed);
    }
    return [...removed];
  }

  /** Finds users whom another server removed by listing those that remain. */
  async #removeUnlisted(gallery: GalleryRecord): Promise<void> {
    const { reader } = this.#parts;
    const parts = reader?.accepts(this.#matrix.size) ? this.#parts : { ...this.#parts, reader: null };
    const left = new Set<string>();
    for (let after = ''; ; await nextTurn()) {
      const userIds = await readUserIds(parts, gallery, after, listLimit);
      for (const userId of userIds) left.add(userId);
      if (userIds.length < listLimit) break;
      after = userIds.at(-1)!;
    }
    const yielder = new EventLoopYielder();
    for (const userId of [...this.#damaged.keys()]) if (!left.has(userId)) this.#damaged.delete(userId);
    for (const userId of this.#matrix.userIds()) {
      if (!left.has(userId)) this.#matrix.remove(userId);
      if (yielder.shouldYield) await yielder.yield();
    }
  }

  #restart(): void {
    this.#matrix.dispose();
    this.#matrix = new GalleryMatrix(this.#parts.arenas, this.#parts.scanner);
    this.#damaged.clear();
    this.#version = 0;
  }

  #applyPending(): void {
    for (const version of this.#pending.keys()) if (version <= this.#version) this.#pending.delete(version);
    for (;;) {
      const next = this.#pending.get(this.#version + 1);
      if (!next) return;
      this.#pending.delete(next.version);
      if ('removed' in next) this.#remove(next.removed);
      else {
        this.#damaged.delete(next.face.userId);
        this.#matrix.put(next.face, next.template);
      }
      this.#version = next.version;
    }
  }
}

/** The next faces in order of seq, as `FaceStore.slice`. */
interface OpenableSlice {
  readonly version: number;
  readonly total: number;
  readonly faces: readonly MatrixFace[];
  /** Null: it does not open. */
  template(index: number): Float32Array | null;
}

interface SliceParts {
  readonly faces: Pick<FaceStore, 'slice' | 'list'>;
  readonly vault: TemplateVault;
  /** Worker that reads and opens them; null: this thread. */
  readonly reader: Pick<GalleryReader, 'slice' | 'list'> | null;
}

/**
 * @returns null when the gallery does not exist
 */
async function readSlice(
  { faces, vault, reader }: SliceParts,
  gallery: GalleryRecord,
  after: number,
  limit: number,
): Promise<OpenableSlice | null> {
  const opened = reader ? await reader.slice(gallery, after, limit) : null;
  if (opened) {
    const { templates } = opened;
    const damaged = new Set(opened.damaged);
    const dimensions = templates.length / opened.faces.length;
    const template = (index: number) =>
      damaged.has(index) ? null : templates.subarray(index * dimensions, (index + 1) * dimensions);
    return { ...opened, template };
  }
  const slice = await faces.slice(gallery.id, after, limit);
  if (!slice) return null;
  const galleryVault = slice.faces.length > 0 ? vault.gallery(gallery) : null;
  const template = (index: number) => {
    const face = slice.faces[index]!;
    return openedOrNull(() => galleryVault!.open(face.userId, face.template));
  };
  return { ...slice, template };
}

/** @returns the next user_ids after `after`, in order */
async function readUserIds(
  { faces, reader }: SliceParts,
  gallery: GalleryRecord,
  after: string,
  limit: number,
): Promise<string[]> {
  const listed = await reader?.list(gallery, after, limit);
  return (
    listed ?? (await faces.list(gallery.id, { after, limit, matched: true })).map(({ userId }) => userId)
  );
}
