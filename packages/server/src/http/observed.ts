/** The scores and the decision of a call, as the answer states them. */
export interface Observed {
  /** Null: no faces were compared. */
  readonly similarity: number | null;
  /** The highest of several faces; null: none was judged. */
  readonly spoofScore: number | null;
  /** Why the face was not accepted; null when it was, or when none was judged. */
  readonly denial: string | null;
}

export const nothingObserved: Observed = { similarity: null, spoofScore: null, denial: null };
