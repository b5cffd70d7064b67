import type { GalleryRecord } from '../store/ports/galleries.ts';

/** A person found in a gallery. */
export interface Match {
  readonly userId: string;
  readonly userName: string;
  /** Inner product with the probe, −1…1. */
  readonly score: number;
  /** Version of the gallery with which the face was written, modulo 2^32. */
  readonly seq: number;
}

/** Which of the people above a score are wanted: the next `most`, in the order in which their faces were written. */
export interface AboveQuestion {
  /** Least score. */
  readonly least: number;
  /** Exclusive bounds of the seqs. */
  readonly after: number;
  readonly before: number;
  readonly most: number;
}

/** Exact search in galleries. Results are of the version of the gallery record or newer. */
export interface Matcher {
  /**
   * The `k` best matches, best first; ties by user_id.
   * @param gallery just read from the store; its version is the minimum version of the result
   * @param probe unit-length template
   * @param signal ends a search that waits
   * @throws the reason of `signal`; Refusal `galleryTooLarge` when the gallery does not fit into the memory for galleries
   */
  search(gallery: GalleryRecord, probe: Float32Array, k: number, signal?: AbortSignal): Promise<Match[]>;
  /**
   * People whose score reaches a threshold, in order of seq.
   * @param gallery as of `search`
   * @param probe a vector of any length
   * @throws as `search`
   */
  above(
    gallery: GalleryRecord,
    probe: Float32Array,
    question: AboveQuestion,
    signal?: AbortSignal,
  ): Promise<Match[]>;
  /**
   * Reads a gallery before it is searched, beside those that are held: none is evicted for it, and it is evicted before those
   * that were searched.
   * @param signal ends it, while it is read too; a search then reads it from the beginning
   * @returns false when there is no room for it
   * @throws the reason of `signal`
   */
  open(gallery: GalleryRecord, dimensions: number, signal?: AbortSignal): Promise<boolean>;
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
  /** Drops a gallery. */
  evict(gallery: number): void;
  /** Ends the worker threads; their searches fail. */
  close(): Promise<void>;
}
