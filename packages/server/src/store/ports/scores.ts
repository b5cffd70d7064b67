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

/** Similarities that probes of galleries reach. They are erased with their gallery. */
export interface ScoreStore {
  /** Adds to the counts; skips galleries that do not exist. */
  add(counts: readonly GalleryScoreCount[]): Promise<void>;
  /** Sums over the days from `since` on. @param gallery internal number */
  of(gallery: number, since: Date): Promise<Pick<GalleryScoreCount, 'bin' | 'comparison' | 'count'>[]>;
  /** Deletes the counts of days that ended before a time. */
  prune(before: Date): Promise<void>;
}
