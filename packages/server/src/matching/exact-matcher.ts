import type { TemplateVault } from '../security/vaults/template-vault.ts';
import type { FaceReaderOptions } from '../store/options.ts';
import type { GalleryRecord } from '../store/store.ts';
import {
  CachedGallery,
  type FaceSource,
  type GalleryChange,
  type MatcherDependencies,
} from './cached-gallery.ts';
import type { Match, Matcher } from './matcher.ts';
import { GalleryReader } from './reading/gallery-reader.ts';
import { Arenas } from './scan/arenas.ts';
import { strideOf } from './scan/layout.ts';
import { createScanner, type Scanner, type ScannerOptions } from './scan/scanner.ts';
import { StreamedSearch } from './streamed-search.ts';

interface ExactMatcherOptions {
  readonly faces: FaceSource;
  readonly vault: TemplateVault;
  /**
   * Memory for matrices, bytes; beyond it the galleries searched longest ago are forgotten, and a gallery that is
   * larger alone is searched in the store. Default: 1 GiB.
   */
  readonly budget?: number;
  readonly scanner?: ScannerOptions;
  /** Where another thread reads large galleries; default: none does. */
  readonly reader?: FaceReaderOptions;
  /** How many faces are large. */
  readonly largeFrom?: number;
  /** Told what the operator should know. */
  readonly warn?: (line: string) => void;
}

/**
 * A matcher that loads a gallery when it is first searched and finds exactly the best.
 *
 * @example
 * const matcher = createExactMatcher({ faces: store.faces, vault });
 * const [best] = await matcher.search(gallery, probe, 1);
 */
export function createExactMatcher(options: ExactMatcherOptions): Matcher {
  return new ExactMatcher(options);
}

/** One may already be under way that began too early for the caller; the next begins after the call. */
const maxReadings = 2;

/** Fewer are read in so few turns that another thread would save nothing. */
const large = 2000;

/** Beside codes and template: scale, residual, seq, place in the index, text. */
const bytesPerFace = 64;

class ExactMatcher implements Matcher {
  readonly #parts: MatcherDependencies;
  readonly #budget: number;
  readonly #streamed: StreamedSearch;
  readonly #reader: GalleryReader | null;
  readonly #scanner: Scanner;
  /** Searched longest ago first, with the bytes that each was counted with. */
  readonly #galleries = new Map<number, { readonly live: CachedGallery; bytes: number }>();
  #bytes = 0;

  constructor(options: ExactMatcherOptions) {
    const { faces, vault, budget = 2 ** 30, reader: address, largeFrom = large, warn = () => {} } = options;
    const arenas = new Arenas();
    this.#scanner = createScanner(arenas, options.scanner);
    this.#reader = address
      ? new GalleryReader({ options: address, vault, arenas, warn, from: largeFrom })
      : null;
    this.#parts = { faces, vault, arenas, scanner: this.#scanner, reader: this.#reader };
    this.#budget = budget;
    this.#streamed = new StreamedSearch(this.#parts);
  }

  async search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]> {
    if (gallery.version === 0) return [];
    const needed = gallery.faces * (strideOf(probe.length) + 4 * probe.length + bytesPerFace);
    if (needed > this.#budget) {
      this.#evict(gallery.id);
      return this.#streamed.search(gallery, probe, k);
    }
    const live = this.#use(gallery.id, needed);
    return live.use(() => this.#search(live, gallery, probe, k));
  }

  async #search(
    live: CachedGallery,
    gallery: GalleryRecord,
    probe: Float32Array,
    k: number,
  ): Promise<Match[]> {
    for (let readings = 0; ; readings++) {
      const found = await live.search(gallery.version, probe, k);
      if (found) return found;
      if (readings === maxReadings)
        throw new Error(`gallery ${gallery.id}: the store is behind its own record`);
      if (!(await live.refresh(gallery))) return this.#gone(gallery.id, live);
      this.#count(gallery.id, live);
    }
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

  /** Searches that are under way get their answers. */
  #evict(gallery: number): void {
    const held = this.#galleries.get(gallery);
    if (!held) return;
    this.#galleries.delete(gallery);
    this.#bytes -= held.bytes;
    held.live.dispose();
  }

  /** @param needed bytes that the gallery will take */
  #use(id: number, needed: number): CachedGallery {
    const held = this.#galleries.get(id) ?? { live: new CachedGallery(this.#parts), bytes: 0 };
    this.#galleries.delete(id);
    this.#galleries.set(id, held);
    if (held.bytes === 0) this.#keepBudget(id, needed);
    return held.live;
  }

  #gone(id: number, live: CachedGallery): Match[] {
    if (this.#galleries.get(id)?.live === live) this.#evict(id);
    return [];
  }

  #changed(gallery: number, change: GalleryChange): void {
    const live = this.#galleries.get(gallery)?.live;
    if (!live) return;
    live.apply(change);
    this.#count(gallery, live);
  }

  #count(id: number, live: CachedGallery): void {
    const held = this.#galleries.get(id);
    if (held?.live !== live) return;
    const before = held.bytes;
    held.bytes = live.bytes;
    this.#bytes += held.bytes - before;
    if (held.bytes > before) this.#keepBudget(id, 0);
  }

  /** @param inUse is kept, also when it is larger than the budget alone @param more bytes about to be taken */
  #keepBudget(inUse: number, more: number): void {
    for (const id of this.#galleries.keys()) {
      if (this.#bytes + more <= this.#budget) return;
      if (id !== inUse) this.#evict(id);
    }
  }
}
