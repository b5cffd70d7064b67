/** Similarity score at FMR 1, and the step of the score that divides the FMR by ten. */
const scoreAtFmr1 = 0.25;
const decade = 0.125;

/** Upper end of the scale, impostor pairs for one false match. */
export const maxPairs = 1_000_000;

/**
 * 1/FMR at a similarity score, from 1 to `maxPairs`: impostor pairs for one that reaches the score. The calibration is
 * FMR = 10^((0.25 − s) / 0.125).
 * @example impostorPairsPerMatch(0.75); // 10000
 */
export function impostorPairsPerMatch(similarity: number): number {
  return Math.min(maxPairs, Math.max(1, 10 ** ((similarity - scoreAtFmr1) / decade)));
}

/** @example roundTo2Digits(12345); // 12000 */
export function roundTo2Digits(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / step) * step;
}

/** Ticks of the scale: a similarity score and its 1/FMR. */
export const scaleTicks: readonly { readonly at: number; readonly oneIn: number }[] = [1, 2, 3, 4, 5, 6].map(
  (tens) => ({ at: scoreAtFmr1 + tens * decade, oneIn: 10 ** tens }),
);
