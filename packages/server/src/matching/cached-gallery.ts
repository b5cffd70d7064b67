import { EventLoopYielder } from '../lib/event-loop-yielder.ts';
import { openedOrNull } from '../security/vaults/sealing.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { FaceStore, GallerySnapshot } from '../store/ports/faces.ts';
import type { GalleryRecord } from '../store/ports/galleries.ts';
import { GalleryMatrix, type MatrixFace } from './matrix/gallery-matrix.ts';
import type { MatrixMemory, Scanner } from './scan/scanner.ts';
import { ScanLock } from './scan-lock.ts';

/** One change of a gallery, from the previous version to `version`. */
export type GalleryChange = { readonly version: number } & (
  | { readonly face: MatrixFace; readonly template: Float32Array }
  | { readonly removed: string }
);

/** The part of the store that matching reads. */
export type FaceSource = Pick<FaceStore, 'slice' | 'list' | 'recount'>;

/** Shared by the galleries of one matcher. */
export interface MatcherDependencies {
  readonly faces: FaceSource;
  readonly vault: TemplateVault;
  readonly memory: MatrixMemory;
  readonly scanner: Scanner;
  /** Is told of each template that does not open; `seq` names its row. */
  readonly onDamage: (gallery: GalleryRecord, seq: number) => void;
}

/** Faces read at a time: 1 or 2 ms in SQLite, and few round trips to a database server. */
const sliceFaces = 200;

/** Maximum number of pending changes; beyond it they are read from the store. */
const maxPendingChanges = 10_000;

/** Maximum number of attempts to list the remaining users while others change the gallery. */
const maxListings = 20;

/** user_ids read at a time. */
const listLimit = 500;

/** The matrix of one gallery, kept current by reported changes or by reading the store. */
export class CachedGallery {
  readonly #parts: MatcherDependencies;
  readonly #lock = new ScanLock();
  /** Changes reported out of order or during a refresh, by version. */
  readonly #pending = new Map<number, GalleryChange>();
  /** Users whose templates do not open, with their seq: they are left out of the matrix. */
  readonly #damaged = new Map<string, number>();
  #matrix: GalleryMatrix;
  /** The gallery's version that the matrix holds; 0 is empty. */
  #version = 0;
  /** A refresh did not end: the matrix holds rows of later versions. The next one completes it. */
  #partial = false;
  #users = 0;
  #disposed = false;

  constructor(parts: MatcherDependencies) {
    this.#parts = parts;
    this.#matrix = new GalleryMatrix(parts.memory, parts.scanner);
  }

  get bytes(): number {
    return this.#matrix.bytes;
  }

  /** Searches the matrix. @returns null when it is older than `version` @throws the reason of the signal */
  search<T>(
    version: number,
    work: (matrix: GalleryMatrix) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | null> {
    return this.#lock.scan(() => {
      signal?.throwIfAborted();
      return this.#version < version || this.#partial ? null : work(this.#matrix);
    });
  }

  /** Resolves when the change was applied, or is left to the next refresh. */
  async apply(change: GalleryChange): Promise<void> {
    if (change.version <= this.#version || this.#disposed) return;
    this.#pending.set(change.version, change);
    if (this.#pending.size > maxPendingChanges) this.#pending.clear();
    await this.#lock.write(() => this.#applyPending());
  }

  /**
   * Reads newer faces from the store until the matrix has the version of `gallery`.
   * @param signal ends the wait for those who read before it
   * @param stop ends the reading too, which the next refresh begins anew
   * @returns false when the gallery does not exist
   * @throws the reason of a signal; Error when templates have two lengths or others change it too fast
   */
  refresh(gallery: GalleryRecord, signal?: AbortSignal, stop?: AbortSignal): Promise<boolean> {
    return this.#lock.write(async () => {
      signal?.throwIfAborted();
      if (this.#version >= gallery.version && !this.#partial) return true;
      try {
        return await this.#read(gallery, stop);
      } finally {
        await this.#applyPending();
      }
    });
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
    if (this.#disposed && this.#users === 0) void this.#lock.write(async () => this.#matrix.release());
  }

  async #read(gallery: GalleryRecord, stop?: AbortSignal): Promise<boolean> {
    const { faces } = this.#parts;
    const yielder = new EventLoopYielder();
    for (let after = this.#version, listings = 0, listed = -1; ; ) {
      stop?.throwIfAborted();
      const slice = await faces.slice(gallery.id, after, sliceFaces);
      if (!slice) return false;
      this.#partial = true;
      if (!(await this.#add(gallery, slice, yielder))) {
        // Emptied meanwhile, and filled with templates of another length.
        this.#restart();
        after = 0;
        continue;
      }
      if (slice.faces.length === sliceFaces) {
        after = slice.faces.at(-1)!.seq;
        continue;
      }
      if (await this.#isComplete(slice, yielder)) return true;
      if (listed === slice.version) return this.#miscounted(gallery, slice);
      listed = slice.version;
      if (listings++ === maxListings) throw new Error(`gallery ${gallery.id}: others change it too fast`);
      await this.#removeUnlisted(gallery, yielder);
      after = slice.version;
    }
  }

  /** @returns false when the templates have another length than those in the matrix */
  async #add(
    gallery: GalleryRecord,
    { faces }: GallerySnapshot,
    yielder: EventLoopYielder,
  ): Promise<boolean> {
    if (faces.length === 0) return true;
    const vault = this.#parts.vault.gallery(gallery);
    for (const face of faces) {
      if (yielder.shouldYield) await yielder.yield();
      const template = openedOrNull(() => vault.open(face.userId, face.template));
      if (template && !this.#matrix.fits(template.length)) return false;
      if (template === null) {
        this.#remove(face.userId);
        this.#damaged.set(face.userId, face.seq);
        this.#parts.onDamage(gallery, face.seq);
      } else this.#put(face, template);
    }
    return true;
  }

  #put(face: MatrixFace, template: Float32Array): void {
    this.#damaged.delete(face.userId);
    this.#matrix.put(face, template);
  }

  #remove(userId: string): void {
    this.#damaged.delete(userId);
    this.#matrix.remove(userId);
  }

  /** Compares the number of faces after a complete read: slices do not show removals. */
  async #isComplete({ version, total }: GallerySnapshot, yielder: EventLoopYielder): Promise<boolean> {
    for (const retry of [false, true]) {
      // A removal is reported just after it was committed.
      if (retry) await yielder.yield();
      for (const userId of this.#reportedRemovals(version)) this.#remove(userId);
      if (this.#matrix.size + this.#damaged.size === total) {
        this.#version = version;
        this.#partial = false;
        return true;
      }
    }
    return false;
  }

  /** All are listed, and none has changed since: somebody else has written to the tables, and the counter is off. */
  async #miscounted({ id }: GalleryRecord, { version }: GallerySnapshot): Promise<true> {
    this.#version = version;
    this.#partial = false;
    await this.#parts.faces.recount(id);
    return true;
  }

  /** Users whose removal up to `version` was reported and who are still in the matrix. */
  #reportedRemovals(version: number): string[] {
    const removed = new Set<string>();
    for (const change of this.#pending.values()) {
      if (change.version > version || !('removed' in change)) continue;
      const seq = this.#matrix.seqOf(change.removed) ?? this.#damaged.get(change.removed) ?? null;
      // Not users who were enrolled again afterwards.
      if (seq !== null && ((change.version - seq) | 0) > 0) removed.add(change.removed);
    }
    return [...removed];
  }

  /** Finds users whom another server removed by listing those that remain. */
  async #removeUnlisted({ id }: GalleryRecord, yielder: EventLoopYielder): Promise<void> {
    const left = new Set<string>();
    for (let after = ''; ; ) {
      const page = await this.#parts.faces.list(id, { after, limit: listLimit, matched: true });
      for (const { userId } of page) left.add(userId);
      if (yielder.shouldYield) await yielder.yield();
      if (page.length < listLimit) break;
      after = page.at(-1)!.userId;
    }
    for (const userId of this.#damaged.keys()) if (!left.has(userId)) this.#damaged.delete(userId);
    for (const userId of this.#matrix.userIds()) {
      if (!left.has(userId)) this.#matrix.remove(userId);
      if (yielder.shouldYield) await yielder.yield();
    }
  }

  #restart(): void {
    this.#matrix.release();
    this.#matrix = new GalleryMatrix(this.#parts.memory, this.#parts.scanner);
    this.#damaged.clear();
    this.#version = 0;
  }

  async #applyPending(): Promise<void> {
    for (const version of this.#pending.keys()) if (version <= this.#version) this.#pending.delete(version);
    const yielder = new EventLoopYielder();
    while (!this.#partial) {
      const next = this.#pending.get(this.#version + 1);
      if (!next) return;
      this.#pending.delete(next.version);
      if ('removed' in next) this.#remove(next.removed);
      else this.#put(next.face, next.template);
      this.#version = next.version;
      if (yielder.shouldYield) await yielder.yield();
    }
  }
}
