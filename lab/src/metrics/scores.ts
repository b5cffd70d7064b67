/**
 * Area under the ROC curve: probability that a positive scores above a negative, ties counted half (Mann–Whitney).
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

/** Share of events, 0…1; 0 without trials. */
export function rate(count: Count): number {
  return count.trials === 0 ? 0 : count.events / count.trials;
}

/** Number of scores at or above the threshold. */
export function countAtLeast(scores: ArrayLike<number>, threshold: number): Count {
  let events = 0;
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= threshold) events++;
  return { events, trials: scores.length };
}

/** Number of scores below the threshold. */
export function countBelow(scores: ArrayLike<number>, threshold: number): Count {
  const above = countAtLeast(scores, threshold);
  return { events: above.trials - above.events, trials: above.trials };
}

/**
 * Lowest threshold with an FMR of at most `fmr` (match: score ≥ threshold). It lies just above an observed score, so it
 * holds for ties too.
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

/** Threshold and false non-matches at an FMR. */
export interface OperatingPoint {
  readonly fmr: number;
  readonly threshold: number;
  readonly falseNonMatches: Count;
}

/** FNMR at the threshold with an FMR of `fmr`. */
export function fnmrAtFmr(
  genuine: ArrayLike<number>,
  sortedImpostors: Float32Array | Float64Array,
  fmr: number,
): OperatingPoint {
  const threshold = thresholdAtFmr(sortedImpostors, fmr);
  return { fmr, threshold, falseNonMatches: countBelow(genuine, threshold) };
}

/** Balanced accuracy: mean of the true positive and the true negative rate; positive: score ≥ threshold. */
export function balancedAccuracy(
  positives: ArrayLike<number>,
  negatives: ArrayLike<number>,
  threshold: number,
): number {
  return (rate(countAtLeast(positives, threshold)) + rate(countBelow(negatives, threshold))) / 2;
}

/** Lowest threshold with a BPCER of at most `limit` (attack: score ≥ threshold). */
export function thresholdAtBpcer(bonaFide: ArrayLike<number>, limit: number): number {
  return thresholdAtFmr(Float64Array.from(bonaFide).sort(), limit);
}
