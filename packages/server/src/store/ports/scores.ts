/** Best similarities of probes of a gallery, by kind of comparison. */
export type Comparison = 'verify' | 'identify';

/** Number of probes of a gallery whose best similarity is in a bin. No personal data. */
export interface GalleryScoreCount {
  /** Internal number. */
  readonly gallery: number;
  /** Beginning of the day, UTC, milliseconds since 1970. */
  readonly day: number;
  readonly comparison: Comparison;
  /** 0…`galleryScoreBins` − 1 */
  readonly bin: number;
  readonly count: number;
}

/** When a gallery was searched last. */
export interface LastSearch {
  /** Internal number. */
  readonly gallery: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** As of `GalleryScoreCount`; null: never, as far as it is known. */
  readonly day: number | null;
}

/** Similarities that probes of galleries reach. They are erased with their gallery. */
export interface ScoreStore {
  /** Adds to the counts; skips galleries that do not exist. */
  add(counts: readonly GalleryScoreCount[]): Promise<void>;
  /** Sums over the days from `since` on. @param gallery internal number */
  of(gallery: number, since: Date): Promise<Pick<GalleryScoreCount, 'bin' | 'comparison' | 'count'>[]>;
  /**
   * Galleries in the order of their internal numbers, each with the last day on which somebody was looked for in it.
   * @param after exclusive
   */
  lastSearches(after: number, limit: number): Promise<LastSearch[]>;
  /** Deletes the counts of days that ended before a time. */
  prune(before: Date): Promise<void>;
}
