import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GalleryVault } from '../security/vaults/template-vault.ts';
import type { FaceStore, GallerySnapshot } from '../store/store.ts';
import { TopCandidates } from './best-people.ts';
import type { EventLoopYielder } from './event-loop-yielder.ts';
import type { Match } from './matcher.ts';
import { innerProduct } from './scan/best-rows.ts';

/** Kept beyond k, for people who are replaced or removed while the gallery is read. */
const spare = 16;

/** After so many rounds changes are taken for endless, and what was true a moment ago is answered. */
const maxRounds = 20;

/** A gallery to read, and how. */
interface StreamedGallery {
  readonly faces: Pick<FaceStore, 'slice' | 'get'>;
  readonly vault: Pick<GalleryVault, 'open'>;
  readonly gallery: number;
  /** How new a copy of the store must be. */
  readonly version: number;
  /** Faces read at a time. */
  readonly sliceFaces: number;
  /** Where others want their turn; default: faces of a slice are opened all at once. */
  readonly yielder?: EventLoopYielder;
  /** Called before each slice with how many faces were read so far. @throws to give up */
  readonly onProgress?: (read: number) => void;
}

/**
 * Reads all of a gallery and keeps its best.
 * @returns as `Matcher.search`; nobody when the gallery is gone
 * @throws SealError when a template does not open, Error when it has another length than the probe
 */
export function searchStream(from: StreamedGallery, probe: Float32Array, k: number): Promise<Match[]> {
  return new Stream(from, probe).best(k);
}

class Stream {
  readonly #from: StreamedGallery;
  readonly #probe: Float32Array;
  #read = 0;

  constructor(from: StreamedGallery, probe: Float32Array) {
    this.#from = from;
    this.#probe = probe;
  }

  async best(k: number): Promise<Match[]> {
    for (let more = spare; ; more *= 2) {
      const best = new TopCandidates(k + more);
      let version: number | null = 0;
      for (let round = 0; round < maxRounds; round++) {
        const read = await this.#readAfter(version, best);
        if (read === version || read === null) break;
        version = read;
        await this.#dropRemoved(best, k);
      }
      if (best.isExact(k)) return best.matches(k);
    }
  }

  /** Adds what was written after `version`. @returns the version that is read now; null when the gallery is gone */
  async #readAfter(version: number, best: TopCandidates): Promise<number | null> {
    const { faces, gallery, sliceFaces, onProgress: goOn } = this.#from;
    // Copies of a store may be behind each other.
    let newest = Math.max(version, this.#from.version);
    for (let after = version; ; await nextTurn()) {
      goOn?.(this.#read);
      const slice: GallerySnapshot | null = await faces.slice(gallery, after, sliceFaces, newest);
      if (!slice) {
        best.clear();
        return null;
      }
      newest = Math.max(newest, slice.version);
      await this.#add(slice, best);
      if (slice.faces.length < sliceFaces) return slice.version;
      after = slice.faces.at(-1)!.seq;
    }
  }

  async #add({ faces }: GallerySnapshot, best: TopCandidates): Promise<void> {
    const { vault, yielder: turns } = this.#from;
    for (const { userId, userName, template, seq } of faces) {
      if (turns?.shouldYield) await turns.yield();
      const opened = vault.open(userId, template);
      if (opened.length !== this.#probe.length) {
        throw new Error(`a probe of ${this.#probe.length} dimensions in a gallery of ${opened.length}`);
      }
      best.add({ userId, userName, seq, score: innerProduct(opened, 0, this.#probe) });
    }
    this.#read += faces.length;
  }

  /** Removals leave no trace in what is read: asks for each of the first k whether it is still there. */
  async #dropRemoved(best: TopCandidates, k: number): Promise<void> {
    const { faces, gallery } = this.#from;
    for (let rank = 0; rank < k; ) {
      const candidate = best.at(rank);
      if (!candidate) return;
      const face = await faces.get(gallery, candidate.userId);
      if (face?.seq === candidate.seq) rank++;
      else best.drop(candidate.userId);
    }
  }
}
