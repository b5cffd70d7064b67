/**
 * Area under the ROC curve: the chance that a positive scores above a negative, ties counting half
 * (Mann–Whitney). 0.5 is a coin, 1 is perfect.
 * @throws RangeError when either side is empty
 */
export function rocArea(positives: ArrayLike<number>, negatives: ArrayLike<number>): number {
  if (positives.length === 0 || negatives.length === 0) throw new RangeError('both sides need scores');
  const up = Float64Array.from(positives).sort();
  const down = Float64Array.from(negatives).sort();
  let below = 0;
  let upTo = 0;
  let wins = 0;
  for (const score of up) {
    while (below < down.length && down[below]! < score) below++;
    while (upTo < down.length && down[upTo]! <= score) upTo++;
    wins += (below + upTo) / 2;
  }
  return wins / up.length / down.length;
}

/** Events among trials. */
export interface Count {
  readonly events: number;
  readonly trials: number;
}

/** Share of events, 0…1; 0 when nothing was tried. */
export function rate(count: Count): number {
  return count.trials === 0 ? 0 : count.events / count.trials;
}

/** How many scores are at or above the threshold. */
export function countAtLeast(scores: ArrayLike<number>, threshold: number): Count {
  let events = 0;
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= threshold) events++;
  return { events, trials: scores.length };
}

/** How many scores are below the threshold. */
export function countBelow(scores: ArrayLike<number>, threshold: number): Count {
  const above = countAtLeast(scores, threshold);
  return { events: above.trials - above.events, trials: above.trials };
}

/**
 * Lowest threshold at which at most a share `fmr` of the impostor scores is accepted (score ≥ threshold).
 * It lies just above an observed score, so it holds for ties as well.
 * @param sortedImpostors ascending
 * @throws RangeError without scores
 */
export function thresholdAtFmr(sortedImpostors: Float32Array | Float64Array, fmr: number): number {
  const n = sortedImpostors.length;
  if (n === 0) throw new RangeError('no impostor scores');
  const accepted = Math.floor(fmr * n);
  if (accepted >= n) return sortedImpostors[0]!;
  const refused = sortedImpostors[n - accepted - 1]!;
  return refused + Math.max(Math.abs(refused), 1e-6) * 1e-7;
}

/** False non-matches at a false match rate. */
export interface OperatingPoint {
  readonly fmr: number;
  readonly threshold: number;
  readonly falseNonMatches: Count;
}

/** Genuine pairs refused at the threshold that lets a share `fmr` of impostor pairs in. */
export function fnmrAtFmr(
  genuine: ArrayLike<number>,
  sortedImpostors: Float32Array | Float64Array,
  fmr: number,
): OperatingPoint {
  const threshold = thresholdAtFmr(sortedImpostors, fmr);
  return { fmr, threshold, falseNonMatches: countBelow(genuine, threshold) };
}

/**
 * Mean of the two classes' shares of right decisions, positives being right at or above the threshold.
 */
export function balancedAccuracy(
  positives: ArrayLike<number>,
  negatives: ArrayLike<number>,
  threshold: number,
): number {
  return (rate(countAtLeast(positives, threshold)) + rate(countBelow(negatives, threshold))) / 2;
}

/**
 * Lowest threshold at which at most a share `limit` of these scores is at or above it.
 */
export function thresholdAtBpcer(bonaFide: ArrayLike<number>, limit: number): number {
  return thresholdAtFmr(Float64Array.from(bonaFide).sort(), limit);
}
