/** Measure of a client's calls. */
export type ActivityMeasure = 'calls' | 'similarity' | 'spoof';

/** Number of calls with equal properties. No personal data. */
export interface ActivityCount {
  readonly clientId: string;
  /** Beginning of the time step, milliseconds since 1970. */
  readonly start: number;
  /** Length of the time step. */
  readonly seconds: number;
  readonly route: string;
  readonly measure: ActivityMeasure;
  /** Of calls the status; of scores whether the face was accepted: `yes` or `no`. */
  readonly outcome: string;
  /** Bin of a histogram: of calls by latency, of scores by score. */
  readonly bin: number;
  readonly count: number;
}

/** A call that was refused, or whose face was rejected. */
export interface RefusedCall {
  readonly at: Date;
  readonly clientId: string;
  readonly route: string;
  readonly status: string;
  readonly detail: string | null;
  readonly trxId: string;
  readonly galleryId: string | null;
  readonly userId: string | null;
  readonly similarity: number | null;
  readonly spoofScore: number | null;
  readonly ms: number;
}

/** Which refused calls to list: those that meet every condition. */
export interface RefusedQuery {
  readonly limit: number;
  /** Id, exclusive. */
  readonly before?: number | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly status?: string | undefined;
  readonly route?: string | undefined;
  readonly userId?: string | undefined;
  readonly galleryId?: string | undefined;
  /** Only calls whose status is, or is not, one of these. */
  readonly among?: { readonly statuses: readonly string[]; readonly isOne: boolean } | undefined;
}

/** A stored refused call. */
export interface StoredRefusedCall {
  /** Grows with each record, with gaps. */
  readonly id: number;
  readonly call: RefusedCall;
}

/** Count of one bucket of a series; 0 is the first bucket. */
export interface BucketCount extends Pick<ActivityCount, 'route' | 'measure' | 'outcome' | 'bin' | 'count'> {
  readonly bucket: number;
}

/** Buckets of a series. */
export interface SeriesRange {
  /** Length of the time steps that are counted. */
  readonly seconds: number;
  /** Milliseconds since 1970; a multiple of the step. */
  readonly from: number;
  /** Length of a bucket, milliseconds; a multiple of the step. */
  readonly bucketMs: number;
  readonly buckets: number;
}

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

/** Refused calls stored per client. */
export const maxRefusedCalls = 1000;

/**
 * Counts of calls by time step, and the latest refused calls. Erased when their client is deleted or unregistered;
 * refused calls also with their gallery or user.
 */
export interface ActivityStore {
  /**
   * Adds to the counts and stores refused calls, of each client the latest `maxRefusedCalls`. Skips clients that do
   * not exist, and calls from before the registration of their client.
   */
  add(counts: readonly ActivityCount[], refused: readonly RefusedCall[]): Promise<void>;
  /** In parts; counts with equal properties may be in several of them. */
  series(clientId: string, range: SeriesRange): AsyncIterable<readonly BucketCount[]>;
  /** Newest first. */
  refusedCalls(clientId: string, query: RefusedQuery): Promise<StoredRefusedCall[]>;
  /** Erases the refused calls that name a user, in any gallery or none. @returns how many */
  eraseRefusedOf(clientId: string, userId: string): Promise<number>;
  /** Adds to the counts of galleries; skips galleries that do not exist. They are erased with their gallery. */
  addScores(counts: readonly GalleryScoreCount[]): Promise<void>;
  /** Sums over the days from `since` on. @param gallery internal number */
  scoresOf(gallery: number, since: Date): Promise<Pick<GalleryScoreCount, 'comparison' | 'bin' | 'count'>[]>;
  /** Deletes counts before a time, by length of step, and refused calls and counts of galleries before `refused`. */
  prune(steps: readonly { readonly seconds: number; readonly before: Date }[], refused: Date): Promise<void>;
}
