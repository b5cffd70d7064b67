/** What is counted of the calls of a client. */
export type ActivityMeasure = 'calls' | 'similarity' | 'spoof';

/** Calls that are alike, counted. No personal data. */
export interface ActivityCount {
  readonly clientId: string;
  /** Beginning of the step of time that it counts for, milliseconds since 1970. */
  readonly start: number;
  /** Length of the step. */
  readonly seconds: number;
  readonly route: string;
  readonly measure: ActivityMeasure;
  /** Of calls the status; of scores whether the face was accepted: `yes` or `no`. */
  readonly outcome: string;
  /** Number of the bin of a histogram: of calls by how long they took, of scores by the score. */
  readonly bin: number;
  readonly count: number;
}

/** A call that was refused, or whose face was. */
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

/** Part of a series: what is counted in one of its buckets, 0 is the first. */
export interface BucketCount extends Pick<ActivityCount, 'route' | 'measure' | 'outcome' | 'bin' | 'count'> {
  readonly bucket: number;
}

/** The steps of time that a series is made of. */
export interface SeriesRange {
  /** Which counts: those of steps of this length. */
  readonly seconds: number;
  /** Milliseconds since 1970; a multiple of the step. */
  readonly from: number;
  /** Length of a bucket, milliseconds; a multiple of the step. */
  readonly bucketMs: number;
  readonly buckets: number;
}

/** Refused calls that are kept of one client. */
export const maxRefusedCalls = 1000;

/**
 * What was called: counts by steps of time, and the latest refused calls. It goes with its client, also when that is
 * unregistered; refused calls of a gallery go with the gallery, those of a user with the user.
 */
export interface ActivityStore {
  /**
   * Adds to the counts, and keeps refused calls, of each client the latest `keptRefusals`. What belongs to a client
   * that is not there, or was not registered yet then, is left out.
   */
  add(counts: readonly ActivityCount[], refused: readonly RefusedCall[]): Promise<void>;
  /** In portions that are each read at once; counts that are alike may come in several. */
  series(clientId: string, range: SeriesRange): AsyncIterable<readonly BucketCount[]>;
  /** Newest first. */
  refusedCalls(clientId: string, limit: number): Promise<RefusedCall[]>;
  /** Forgets what began before, by length of step, and refused calls from before `refused`. */
  prune(steps: readonly { readonly seconds: number; readonly before: Date }[], refused: Date): Promise<void>;
}
