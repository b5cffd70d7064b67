import type { GalleryRecord } from '../store/store.ts';
import { type MatcherDependencies, sliceFaces } from './cached-gallery.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import type { Match } from './matcher.ts';
import { searchStream } from './stream-best.ts';

/**
 * Searches galleries that are too large for memory: reads all of the gallery from the store, slowly. Another thread
 * does it; without one it is done in short turns of this one.
 */
export class StreamedSearch {
  readonly #parts: Pick<MatcherDependencies, 'faces' | 'vault' | 'reader'>;
  /** One at a time: what is read and opened is all that is in memory. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Pick<MatcherDependencies, 'faces' | 'vault' | 'reader'>) {
    this.#parts = parts;
  }

  search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]> {
    const result = this.#last.then(() => this.#search(gallery, probe, k));
    this.#last = result.catch(() => null);
    return result;
  }

  async #search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]> {
    const { faces, vault, reader } = this.#parts;
    const found = reader?.accepts(gallery.faces) ? await reader.search(gallery, probe, k) : null;
    if (found) return found;
    const { id, version } = gallery;
    const from = {
      faces,
      vault: vault.gallery(gallery),
      gallery: id,
      version,
      sliceFaces,
      turns: new EventLoopYielder(),
    };
    return searchStream(from, probe, k);
  }
}
