import type { GalleryRecord } from '../store/gallery-store.ts';
import type { PairPosition, PairQuestion } from './scan/pairs.ts';

/** A person found in a gallery. */
export interface Match {
  readonly userId: string;
  readonly userName: string;
  /** Inner product with the probe, −1…1. */
  readonly score: number;
}

/** Two people of a gallery whose score reaches a threshold. */
export interface MatchedPair {
  /** The one whose face was written later first. */
  readonly userIds: readonly [string, string];
  /** Versions with which their faces were written, modulo 2^32. */
  readonly seqs: readonly [number, number];
  /** Inner product of their references, −1…1. */
  readonly product: number;
  readonly score: number;
}

/** The pairs of the next part of a gallery, in order of their position. */
export interface PairPage {
  readonly pairs: readonly MatchedPair[];
  readonly reached: PairPosition;
  /** No pair follows. */
  readonly complete: boolean;
  /** People in the gallery, and those up to the position reached. */
  readonly people: number;
  readonly compared: number;
}

/** A gallery does not fit into the memory for galleries. */
export class GalleryTooLarge extends Error {
  override readonly name = 'GalleryTooLarge';
}

/** As many searches as may wait for galleries beyond the memory limit are waiting. */
export class TooManySearches extends Error {
  override readonly name = 'TooManySearches';

  constructor(waiting: number) {
    super(`${waiting} searches of galleries that do not fit into memory are waiting`);
  }
}

/** Exact search in galleries. Results are of the version of the gallery record or newer. */
export interface Matcher {
  /**
   * The `k` best matches, best first; ties by user_id.
   * @param gallery just read from the store; its version is the minimum version of the result
   * @param probe unit-length template
   * @param signal ends a search that waits, or that reads the gallery from the store
   * @throws the reason of `signal`; Refusal `busy` when too many searches wait
   */
  search(gallery: GalleryRecord, probe: Float32Array, k: number, signal?: AbortSignal): Promise<Match[]>;
  /**
   * The next pairs of people whose score reaches a threshold. The position is that of the whole gallery: people whose
   * faces are written meanwhile come last, and are compared with all others.
   * @throws GalleryTooLarge; the reason of `signal`
   */
  pairs(gallery: GalleryRecord, question: PairQuestion, signal?: AbortSignal): Promise<PairPage>;
  /** Reports a committed enrolment, which updates the cached gallery. */
  faceEnrolled(
    gallery: number,
    face: { userId: string; userName: string; template: Float32Array; seq: number },
  ): void;
  /** Reports a committed removal with the gallery's new version. */
  faceRemoved(gallery: number, userId: string, version: number): void;
  /** Internal numbers of the cached galleries. */
  cachedGalleries(): number[];
  /** Number and bytes of the cached galleries. */
  memoryUse(): { readonly galleries: number; readonly bytes: number };
  /** Drops a gallery, and its key if it is being read. */
  evict(gallery: number): void;
  /** Ends the worker threads; their searches fail. */
  close(): Promise<void>;
}
