import { setImmediate as nextTurn } from 'node:timers/promises';
import { openedOrNull } from '../security/vaults/sealing.ts';
import type { GalleryVault } from '../security/vaults/template-vault.ts';
import type { FaceStore, GallerySnapshot } from '../store/face-store.ts';
import type { EventLoopYielder } from './event-loop-yielder.ts';
import type { Match } from './matcher.ts';
import { innerProduct } from './scan/best-rows.ts';

/** Candidates kept beyond k, in place of people who are replaced or removed during the search. */
const spare = 16;

/** Maximum number of passes over new changes; then the answer is of the last one. */
const maxRounds = 20;

/** A gallery to search in the store. */
interface StreamedGallery {
  readonly faces: Pick<FaceStore, 'slice' | 'get'>;
  readonly vault: Pick<GalleryVault, 'open'>;
  readonly gallery: number;
  /** Faces read at a time. */
  readonly sliceFaces: number;
  /** Yields to the event loop between faces; default: only between slices. */
  readonly yielder?: EventLoopYielder;
  /** Called before each slice with the number of faces read; throws to cancel. */
  readonly onProgress?: (read: number) => void;
  /** Is told the seq of each template that does not open: it is left out. */
  readonly onDamage?: (seq: number) => void;
}

/**
 * Searches a gallery by reading all of it from the store.
 * @returns as `Matcher.search`; empty when the gallery does not exist
 * @throws Error when a template has another length than the probe
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

  /** Adds faces written after `version`. @returns the version reached; null when the gallery does not exist */
  async #readAfter(version: number, best: TopCandidates): Promise<number | null> {
    const { faces, gallery, sliceFaces, onProgress } = this.#from;
    for (let after = version; ; await nextTurn()) {
      onProgress?.(this.#read);
      const slice: GallerySnapshot | null = await faces.slice(gallery, after, sliceFaces);
      if (!slice) {
        best.clear();
        return null;
      }
      await this.#add(slice, best);
      if (slice.faces.length < sliceFaces) return slice.version;
      after = slice.faces.at(-1)!.seq;
    }
  }

  async #add({ faces }: GallerySnapshot, best: TopCandidates): Promise<void> {
    const { vault, yielder } = this.#from;
    for (const { userId, userName, template, seq } of faces) {
      if (yielder?.shouldYield) await yielder.yield();
      const opened = openedOrNull(
        () => vault.open(userId, template),
        () => this.#from.onDamage?.(seq),
      );
      if (opened === null) {
        // An earlier template of the user is replaced, too.
        best.drop(userId);
        continue;
      }
      if (opened.length !== this.#probe.length) {
        throw new Error(`a probe of ${this.#probe.length} dimensions in a gallery of ${opened.length}`);
      }
      best.add({ userId, userName, seq, score: innerProduct(opened, 0, this.#probe) });
    }
    this.#read += faces.length;
  }

  /** Slices do not show removals and suspensions: checks whether each of the first k is still matched. */
  async #dropRemoved(best: TopCandidates, k: number): Promise<void> {
    const { faces, gallery } = this.#from;
    for (let rank = 0; rank < k; ) {
      const candidate = best.at(rank);
      if (!candidate) return;
      const face = await faces.get(gallery, candidate.userId);
      if (face?.seq === candidate.seq && !face.suspendedAt) rank++;
      else best.drop(candidate.userId);
    }
  }
}

/** A person read from the store. */
interface Candidate extends Match {
  readonly seq: number;
}

/** The best candidates read so far, which may change while others are read; ties by user_id. */
class TopCandidates {
  readonly #keep: number;
  #people: Candidate[] = [];
  /** The best dropped candidate. */
  #bestDropped: Candidate | null = null;

  constructor(keep: number) {
    this.#keep = keep;
  }

  at(rank: number): Candidate | undefined {
    return this.#people[rank];
  }

  /** Adds a person, or a newer template of one. */
  add(candidate: Candidate): void {
    this.drop(candidate.userId);
    const place = this.#people.findIndex((other) => isBefore(candidate, other));
    this.#people.splice(place < 0 ? this.#people.length : place, 0, candidate);
    if (this.#people.length <= this.#keep) return;
    const out = this.#people.pop()!;
    if (!this.#bestDropped || isBefore(out, this.#bestDropped)) this.#bestDropped = out;
  }

  drop(userId: string): void {
    const place = this.#people.findIndex((other) => other.userId === userId);
    if (place >= 0) this.#people.splice(place, 1);
  }

  clear(): void {
    this.#people = [];
    this.#bestDropped = null;
  }

  /** Whether no dropped candidate belongs among the first k. */
  isExact(k: number): boolean {
    const last = this.#people[k - 1];
    return this.#bestDropped === null || (last !== undefined && isBefore(last, this.#bestDropped));
  }

  matches(k: number): Match[] {
    return this.#people.slice(0, k).map(({ userId, userName, score }) => ({ userId, userName, score }));
  }
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return (
    a.score > b.score ||
    (a.score === b.score && Buffer.compare(Buffer.from(a.userId), Buffer.from(b.userId)) < 0)
  );
}
