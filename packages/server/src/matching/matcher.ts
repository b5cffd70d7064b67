import type { GalleryRecord } from '../store/store.ts';

/** A person found in a gallery. */
export interface Match {
  readonly userId: string;
  readonly userName: string;
  /** Inner product with the probe, −1…1. */
  readonly score: number;
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
