import type { GalleryRecord } from '../store/store.ts';

/** A person found in a gallery. */
export interface Match {
  readonly userId: string;
  readonly userName: string;
  /** Inner product with the probe, −1…1. */
  readonly score: number;
}

/** Exact search in galleries. Answers what the store held when the gallery record was read, or newer. */
export interface Matcher {
  /**
   * The `k` best matches, best first; ties by user_id.
   * @param gallery freshly read from the store: its version says how new the answer must be
   * @param probe unit-length template
   */
  search(gallery: GalleryRecord, probe: Float32Array, k: number): Promise<Match[]>;
  /** Says that a face was written durably; keeps the loaded matrix current. */
  faceEnrolled(
    gallery: number,
    face: { userId: string; userName: string; template: Float32Array; seq: number },
  ): void;
  /** Says that a face was erased durably with this new version of the gallery. */
  faceRemoved(gallery: number, userId: string, version: number): void;
  /** Galleries that are in memory. */
  cachedGalleries(): number[];
  /** How many galleries are held in memory, and their bytes. */
  memoryUse(): { readonly galleries: number; readonly bytes: number };
  /** Forgets a gallery, and its key where it is just being loaded. */
  evict(gallery: number): void;
  /** Ends the threads; what is being searched there fails. */
  close(): Promise<void>;
}
