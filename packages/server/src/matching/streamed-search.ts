import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TemplateVault } from '../security/template-vault.ts';
import type { GalleryRecord, GallerySnapshot } from '../store/store.ts';
import { BestPeople } from './best-people.ts';
import { type FaceSource, sliceFaces, turnFaces } from './live-gallery.ts';
import type { Match } from './matcher.ts';
import { innerProduct } from './scan/best-rows.ts';

/** Kept beyond k, for people who are replaced or removed while the gallery is read. */
const spare = 16;

/** After so many rounds changes are taken for endless, and what was true a moment ago is answered. */
const maxRounds = 20;

/** Searches galleries that are too large for memory: reads all of the gallery from the store, slowly. */
export class StreamedSearch {
  readonly #faces: FaceSource;
  readonly #vault: TemplateVault;
  /** One at a time: what is read and opened is all that is in memory. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(faces: FaceSource, vault: TemplateVault) {
    this.#faces = faces;
    this.#vault = vault;
  }

  search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]> {
    const result = this.#last.then(() => this.#search(gallery, probe, k));
    this.#last = result.catch(() => null);
    return result;
  }

  async #search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]> {
    for (let more = spare; ; more *= 2) {
      const best = new BestPeople(k + more);
      let version: number | null = 0;
      for (let round = 0; round < maxRounds; round++) {
        const read = await this.#read(gallery, probe, best, version);
        if (read === version || read === null) break;
        version = read;
        await this.#dropRemoved(gallery.id, best, k);
      }
      if (best.isExact(k)) return best.matches(k);
    }
  }

  /** Adds what was written after `version`. @returns the version that is read now; null when the gallery is gone */
  async #read(gallery: GalleryRecord, probe: Float32Array, best: BestPeople, version: number) {
    const vault = this.#vault.gallery(gallery);
    // Copies of a store may be behind each other.
    let newest = Math.max(version, gallery.version);
    for (let after = version; ; await nextTurn()) {
      const slice: GallerySnapshot | null = await this.#faces.slice(gallery.id, after, sliceFaces, newest);
      if (!slice) {
        best.clear();
        return null;
      }
      newest = Math.max(newest, slice.version);
      for (const [index, { userId, userName, template, seq }] of slice.faces.entries()) {
        if (index > 0 && index % turnFaces === 0) await nextTurn();
        const opened = vault.open(userId, template);
        if (opened.length !== probe.length) {
          throw new Error(`a probe of ${probe.length} dimensions in a gallery of ${opened.length}`);
        }
        best.add({ userId, userName, seq, score: innerProduct(opened, 0, probe) });
      }
      if (slice.faces.length < sliceFaces) return slice.version;
      after = slice.faces.at(-1)!.seq;
    }
  }

  /** Removals leave no trace in what is read: asks for each of the first k whether it is still there. */
  async #dropRemoved(gallery: number, best: BestPeople, k: number): Promise<void> {
    for (let rank = 0; rank < k; ) {
      const candidate = best.at(rank);
      if (!candidate) return;
      const face = await this.#faces.get(gallery, candidate.userId);
      if (face?.seq === candidate.seq) rank++;
      else best.drop(candidate.userId);
    }
  }
}
