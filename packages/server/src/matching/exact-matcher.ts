import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { ReaderOptions } from '../store/database/session.ts';
import type { GalleryRecord } from '../store/gallery-store.ts';
import {
  CachedGallery,
  type FaceSource,
  type GalleryChange,
  type MatcherDependencies,
} from './cached-gallery.ts';
import { GalleryTooLarge, type Match, type Matcher, type PairPage } from './matcher.ts';
import type { GalleryMatrix } from './matrix/gallery-matrix.ts';
import { GalleryReader } from './reading/gallery-reader.ts';
import { Arenas } from './scan/arenas.ts';
import { strideOf } from './scan/layout.ts';
import type { PairQuestion } from './scan/pairs.ts';
import { createScanner, type Scanner, type ScannerOptions } from './scan/scanner.ts';
import { StreamedSearch } from './streamed-search.ts';

interface ExactMatcherOptions {
  readonly faces: FaceSource;
  readonly vault: TemplateVault;
  /**
   * Memory for matrices, bytes. The least recently used galleries are evicted; a gallery that exceeds the budget alone is
   * searched in the store. Default: 1 GiB.
   */
  readonly budget?: number;
  readonly scanner?: ScannerOptions;
  /** For the worker thread that reads large galleries; default: no worker. */
  readonly reader?: ReaderOptions;
  /** Minimum number of faces of a large gallery. */
  readonly largeFrom?: number;
  /** Called with warnings for the operator. */
  readonly warn?: (line: string) => void;
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

/** Another caller's refresh may fail after this one's and empty the matrix. */
const maxRefreshes = 2;

/** Smaller galleries are read in few slices, so that a worker would save nothing. */
const large = 2000;

/** Beside codes and template: scale, residual, seq, index entry, text. */
const bytesPerFace = 64;

/** Memory that a gallery takes, about. */
function bytesOf({ faces }: GalleryRecord, dimensions: number): number {
  return faces * (strideOf(dimensions) + 4 * dimensions + bytesPerFace);
}

class ExactMatcher implements Matcher {
  readonly #parts: MatcherDependencies;
  readonly #budget: number;
  readonly #streamed: StreamedSearch;
  readonly #reader: GalleryReader | null;
  readonly #scanner: Scanner;
  /** In order of last use, with the bytes counted for each. */
  readonly #galleries = new Map<number, { readonly cached: CachedGallery; bytes: number }>();
  #bytes = 0;

  constructor(options: ExactMatcherOptions) {
    const {
      faces,
      vault,
      budget = 2 ** 30,
      reader: readerOptions,
      largeFrom = large,
      warn = () => {},
      onDamage = () => {},
    } = options;
    const arenas = new Arenas();
    this.#scanner = createScanner(arenas, options.scanner);
    this.#reader = readerOptions
      ? new GalleryReader({ options: readerOptions, vault, arenas, warn, from: largeFrom })
      : null;
    this.#parts = { faces, vault, arenas, scanner: this.#scanner, reader: this.#reader, onDamage };
    this.#budget = budget;
    this.#streamed = new StreamedSearch(this.#parts);
  }

  async search(
    gallery: GalleryRecord,
    probe: Float32Array,
    k: number,
    signal?: AbortSignal,
  ): Promise<Match[]> {
    signal?.throwIfAborted();
    if (gallery.version === 0) return [];
    const needed = bytesOf(gallery, probe.length);
    if (needed > this.#budget) {
      this.#evict(gallery.id);
      return this.#streamed.search(gallery, probe, k, signal);
    }
    const found = await this.#inMemory(gallery, needed, (matrix) => matrix.search(probe, k, signal), signal);
    return found ?? [];
  }

  async pairs(gallery: GalleryRecord, question: PairQuestion, signal?: AbortSignal): Promise<PairPage> {
    signal?.throwIfAborted();
    const nobody = { pairs: [], reached: question.after, complete: true, people: 0, compared: 0 };
    if (gallery.version === 0) return nobody;
    const needed = bytesOf(gallery, question.dimensions);
    if (needed > this.#budget) {
      throw new GalleryTooLarge(`${gallery.faces} people need ${needed} bytes, ${this.#budget} are allowed`);
    }
    const found = await this.#inMemory(gallery, needed, (matrix) => matrix.pairs(question, signal), signal);
    return found ?? nobody;
  }

  /** Searches a gallery in memory, which is read first. @returns null when the gallery is gone */
  #inMemory<T>(
    gallery: GalleryRecord,
    needed: number,
    work: (matrix: GalleryMatrix) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T | null> {
    const cached = this.#use(gallery.id, needed);
    return cached.use(async () => {
      for (let refreshes = 0; ; refreshes++) {
        const found = await cached.search(gallery.version, work, signal);
        if (found) return found;
        if (refreshes === maxRefreshes)
          throw new Error(`gallery ${gallery.id}: the store is behind its own record`);
        if (!(await cached.refresh(gallery))) return this.#gone(gallery.id, cached);
        this.#count(gallery.id, cached);
      }
    });
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

  evict(gallery: number): void {
    this.#reader?.cancel(gallery);
    this.#evict(gallery);
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader?.close(), this.#scanner.close()]);
  }

  /** Running searches complete. */
  #evict(gallery: number): void {
    const held = this.#galleries.get(gallery);
    if (!held) return;
    this.#galleries.delete(gallery);
    this.#bytes -= held.bytes;
    held.cached.dispose();
  }

  /** @param needed bytes of the gallery once it is read */
  #use(id: number, needed: number): CachedGallery {
    const held = this.#galleries.get(id) ?? { cached: new CachedGallery(this.#parts), bytes: 0 };
    this.#galleries.delete(id);
    this.#galleries.set(id, held);
    if (held.bytes === 0) this.#keepBudget(id, needed);
    return held.cached;
  }

  #gone(id: number, cached: CachedGallery): null {
    if (this.#galleries.get(id)?.cached === cached) this.#evict(id);
    return null;
  }

  #changed(gallery: number, change: GalleryChange): void {
    const cached = this.#galleries.get(gallery)?.cached;
    if (!cached) return;
    cached.apply(change);
    this.#count(gallery, cached);
  }

  #count(id: number, cached: CachedGallery): void {
    const held = this.#galleries.get(id);
    if (held?.cached !== cached) return;
    const before = held.bytes;
    held.bytes = cached.bytes;
    this.#bytes += held.bytes - before;
    if (held.bytes > before) this.#keepBudget(id, 0);
  }

  /** @param inUse is never evicted @param more bytes about to be allocated */
  #keepBudget(inUse: number, more: number): void {
    for (const id of this.#galleries.keys()) {
      if (this.#bytes + more <= this.#budget) return;
      if (id !== inUse) this.#evict(id);
    }
  }
}
