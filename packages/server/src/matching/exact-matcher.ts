import { Refusal } from '../errors.ts';
import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../store/ports/galleries.ts';
import {
  CachedGallery,
  type FaceSource,
  type GalleryChange,
  type MatcherDependencies,
} from './cached-gallery.ts';
import type { GalleryMatrix } from './matrix/gallery-matrix.ts';
import type { AboveQuestion, Match, Matcher } from './ports.ts';
import { pageBytes, strideOf } from './scan/layout.ts';
import { PageMemory } from './scan/page-memory.ts';
import { Scanner, type ScannerOptions } from './scan/scanner.ts';

interface ExactMatcherOptions {
  readonly faces: FaceSource;
  readonly vault: TemplateVault;
  /**
   * Memory for matrices, bytes. The least recently used galleries are evicted; a gallery that exceeds the budget alone is
   * refused. Default: 1 GiB.
   */
  readonly budget?: number;
  readonly scanner?: ScannerOptions;
  /** See `MatcherDependencies`. */
  readonly onDamage?: MatcherDependencies['onDamage'];
}

/**
 * A matcher that caches a gallery when it is first searched. Results are exact.
 *
 * @example
 * const matcher = createExactMatcher({ faces: store.faces, vault });
 * const [best] = await matcher.search(gallery, probe, 1);
 */
export function createExactMatcher(options: ExactMatcherOptions): Matcher {
  return new ExactMatcher(options);
}

/** Another caller's refresh may fail after this one's. */
const maxRefreshes = 2;

/** Beside codes and template: scale, residual, seq, index entry, text. */
const bytesPerFace = 64;

/** Memory that a gallery takes, about. */
function bytesOf({ faces }: GalleryRecord, dimensions: number): number {
  return 2 * pageBytes + faces * (strideOf(dimensions) + 4 * dimensions + bytesPerFace);
}

interface HeldGallery {
  readonly cached: CachedGallery;
  bytes: number;
  /** Larger is later; below 0: not searched yet. */
  usedAt: number;
}

class ExactMatcher implements Matcher {
  readonly #parts: MatcherDependencies;
  readonly #budget: number;
  /** By internal number. */
  readonly #galleries = new Map<number, HeldGallery>();
  #bytes = 0;
  #uses = 0;
  /** Galleries that were opened before they were searched. */
  #unused = 0;

  constructor({ faces, vault, budget = 2 ** 30, scanner, onDamage = () => {} }: ExactMatcherOptions) {
    const memory = { codes: new PageMemory(), templates: new PageMemory() };
    this.#parts = { faces, vault, memory, scanner: new Scanner(memory, scanner), onDamage };
    this.#budget = budget;
  }

  search(gallery: GalleryRecord, probe: Float32Array, k: number, signal?: AbortSignal): Promise<Match[]> {
    return this.#ask(gallery, probe.length, (matrix) => matrix.search(probe, k, signal), signal);
  }

  above(
    gallery: GalleryRecord,
    probe: Float32Array,
    question: AboveQuestion,
    signal?: AbortSignal,
  ): Promise<Match[]> {
    return this.#ask(gallery, probe.length, (matrix) => matrix.above(probe, question, signal), signal);
  }

  faceEnrolled(gallery: number, face: Parameters<Matcher['faceEnrolled']>[1]): void {
    this.#changed(gallery, { version: face.seq, face, template: face.template });
  }

  faceRemoved(gallery: number, userId: string, version: number): void {
    this.#changed(gallery, { version, removed: userId });
  }

  memoryUse(): { galleries: number; bytes: number } {
    return { galleries: this.#galleries.size, bytes: this.#bytes };
  }

  cachedGalleries(): number[] {
    return [...this.#galleries.keys()];
  }

  /** Running searches complete. */
  evict(gallery: number): void {
    const held = this.#galleries.get(gallery);
    if (!held) return;
    this.#galleries.delete(gallery);
    this.#bytes -= held.bytes;
    held.cached.dispose();
  }

  close(): Promise<void> {
    return this.#parts.scanner.close();
  }

  /** Asks the matrix of a gallery, which is read first. */
  async #ask(
    gallery: GalleryRecord,
    dimensions: number,
    work: (matrix: GalleryMatrix) => Promise<Match[]>,
    signal: AbortSignal | undefined,
  ): Promise<Match[]> {
    signal?.throwIfAborted();
    if (gallery.version <= 0) {
      if (gallery.faces <= 0) return [];
      // Somebody has changed a counter.
      await this.#parts.faces.recount(gallery.id);
    }
    const version = Math.max(1, gallery.version);
    const needed = bytesOf(gallery, dimensions);
    if (needed > this.#budget) {
      this.evict(gallery.id);
      throw new Refusal('galleryTooLarge', { people: gallery.faces });
    }
    const held = this.#held(gallery.id);
    held.usedAt = ++this.#uses;
    if (held.bytes === 0) this.#keepBudget(gallery.id, needed);
    const { cached } = held;
    return cached.use(async () => {
      for (let refreshes = 0; ; refreshes++) {
        const found = await cached.search(version, work, signal);
        if (found) return found;
        if (refreshes === maxRefreshes)
          throw new Error(`gallery ${gallery.id}: the store is behind its own record`);
        if (!(await this.#refresh({ ...gallery, version }, cached, signal))) return [];
      }
    });
  }

  async open(gallery: GalleryRecord, dimensions: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#galleries.has(gallery.id) || gallery.version <= 0) return true;
    if (this.#bytes + bytesOf(gallery, dimensions) > this.#budget) return false;
    const { cached } = this.#held(gallery.id);
    return cached.use(() => this.#refresh(gallery, cached, signal, signal));
  }

  #held(id: number): HeldGallery {
    const known = this.#galleries.get(id);
    if (known) return known;
    const held = { cached: new CachedGallery(this.#parts), bytes: 0, usedAt: --this.#unused };
    this.#galleries.set(id, held);
    return held;
  }

  /** @returns false when the gallery is gone, and is no longer held */
  async #refresh(
    gallery: GalleryRecord,
    cached: CachedGallery,
    signal?: AbortSignal,
    stop?: AbortSignal,
  ): Promise<boolean> {
    const { id } = gallery;
    const exists = await cached.refresh(gallery, signal, stop);
    if (exists) this.#count(id, cached);
    else if (this.#galleries.get(id)?.cached === cached) this.evict(id);
    return exists;
  }

  #changed(gallery: number, change: GalleryChange): void {
    const cached = this.#galleries.get(gallery)?.cached;
    // What cannot be applied is read from the store by the next search, which reports why.
    void cached?.apply(change).then(
      () => this.#count(gallery, cached),
      () => null,
    );
  }

  #count(id: number, cached: CachedGallery): void {
    const held = this.#galleries.get(id);
    if (held?.cached !== cached) return;
    const before = held.bytes;
    held.bytes = cached.bytes;
    this.#bytes += held.bytes - before;
    if (held.bytes > before) this.#keepBudget(held.usedAt > 0 ? id : null, 0);
  }

  /** @param inUse is not evicted @param more bytes about to be allocated */
  #keepBudget(inUse: number | null, more: number): void {
    while (this.#bytes + more > this.#budget) {
      let least: { readonly id: number; readonly usedAt: number } | undefined;
      for (const [id, { usedAt }] of this.#galleries) {
        if (id !== inUse && (!least || usedAt < least.usedAt)) least = { id, usedAt };
      }
      if (!least) return;
      this.evict(least.id);
    }
  }
}
