/** Similarity score at FMR 1, and the step of the score that divides the FMR by ten. */
const scoreAtFmr1 = 0.25;
const decade = 0.125;

/** Impostor pairs for one false match up to which the calibration was measured; for more it is an estimate. */
export const measuredPairs = 40_000;

/**
 * 1/FMR at a similarity score, from 1 on: impostor pairs for one that reaches the score. The calibration is
 * FMR = 10^((0.25 − s) / 0.125). Above `measuredPairs` it is an estimate.
 * @example impostorPairsPerMatch(0.75); // 10000
 */
export function impostorPairsPerMatch(similarity: number): number {
  return Math.max(1, 10 ** ((similarity - scoreAtFmr1) / decade));
}

/** @example roundTo2Digits(12345); // 12000 */
export function roundTo2Digits(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / step) * step;
}

/** What a similarity score says of two faces, the surest first. */
export type SimilarityWord = 'same' | 'probably' | 'unsure' | 'different';

/** Below the threshold, by how much the FMR is higher than at the threshold: factors of √10 and of 10. */
const probablyBelow = decade / 2;
const unsureBelow = decade;
/** FMR of 1 in 100. */
const leastProbable = scoreAtFmr1 + 2 * decade;

/** Similarities have four decimals; sums of them have noise. */
const noise = 1e-9;

/**
 * The word for a similarity score at the threshold in force.
 *
 * - `same`: at or above the threshold, which alone decides a match.
 * - `probably`: at most √10 times as many impostor pairs reach the score as reach the threshold, and at most 1 in 100.
 * - `unsure`: at most 10 times as many.
 * - `different`: more.
 *
 * The bands follow the error rates 1:1 at the default threshold, an FMR of 1 in 1,000 (docs/accuracy.md). From there to
 * 1 in 100 are 2.0 % of genuine pairs (FNMR 3.2 and 1.2 %) and 0.9 % of impostor pairs. Of the latter less than a fourth
 * are above 1 in 316 (√10); with genuine pairs spread evenly, an assumption, those outnumber them there and equal them
 * below. Under 1 in 100 are 99 % of impostor pairs and 1.2 % of genuine ones.
 * The limit of 1 in 100 holds for lower thresholds: no score of an ordinary impostor pair is called probable.
 * @param similarity and `threshold`: 0 to 1
 */
export function similarityWord(similarity: number, threshold: number): SimilarityWord {
  const below = threshold - similarity - noise;
  if (similarity >= threshold) return 'same';
  if (below <= probablyBelow && similarity >= leastProbable) return 'probably';
  return below <= unsureBelow ? 'unsure' : 'different';
}
