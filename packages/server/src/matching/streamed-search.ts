import type { GalleryRecord } from '../store/gallery-store.ts';
import { type MatcherDependencies, sliceFaces } from './cached-gallery.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import { type Match, TooManySearches } from './matcher.ts';
import { searchStream } from './stream-search.ts';

/** Searches that may wait for the one that runs. Each takes the time of reading a gallery. */
const maxWaiting = 16;

/** Searches galleries that exceed the memory budget in the store: in a worker thread or, without one, in slices. */
export class StreamedSearch {
  readonly #parts: Pick<MatcherDependencies, 'faces' | 'vault' | 'reader' | 'onDamage'>;
  /** One search at a time bounds the memory. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: Pick<MatcherDependencies, 'faces' | 'vault' | 'reader' | 'onDamage'>) {
    this.#parts = parts;
  }

  /** @throws TooManySearches; the reason of the signal: a search that waits or reads is ended */
  search(gallery: GalleryRecord, probe: Float32Array, k: number, signal?: AbortSignal): Promise<Match[]> {
    if (this.#waiting > maxWaiting) return Promise.reject(new TooManySearches(maxWaiting));
    this.#waiting += 1;
    const result = this.#last
      .then(() => this.#search(gallery, probe, k, signal))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last = result.catch(() => null);
    return result;
  }

  async #search(
    gallery: GalleryRecord,
    probe: Float32Array,
    k: number,
    signal: AbortSignal | undefined,
  ): Promise<Match[]> {
    signal?.throwIfAborted();
    const { faces, vault, reader, onDamage } = this.#parts;
    const found = reader?.accepts(gallery.faces) ? await reader.search(gallery, probe, k, signal) : null;
    if (found) {
      for (const seq of found.damaged) onDamage(gallery, seq);
      return found.matches;
    }
    signal?.throwIfAborted();
    const { id } = gallery;
    const from = {
      faces,
      vault: vault.gallery(gallery),
      gallery: id,
      sliceFaces,
      yielder: new EventLoopYielder(),
      onProgress: () => signal?.throwIfAborted(),
      onDamage: (seq: number) => onDamage(gallery, seq),
    };
    return searchStream(from, probe, k);
  }
}
