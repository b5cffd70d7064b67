/** A point of a calibration curve: score, log10 of the false match rate at or above it. */
export type Knot = [number, number];

/** A fitted calibration curve and the end of its evidence. */
export interface FittedCurve {
  readonly knots: Knot[];
  /** Last knot with enough impostor pairs; the curve beyond is extrapolated. */
  readonly evidenceEnd: { readonly innerProduct: number; readonly log10Fmr: number };
  /** Decades of FMR per 1.0 of inner product beyond the evidence. */
  readonly tailSlope: number;
}

/** Decades between knots. */
const STEP = 0.125;
/** Impostor pairs that must score at or above a knot for it to count as measured. */
const ENOUGH = 30;
/** Highest share of impostor pairs, to which the tail's slope is fitted. */
const TAIL_FROM = 1e-3;
/** log10 of the FMR at which the curve ends: similarity 1. */
const FLOOR = -6;

/**
 * FMR by inner product. Up to the score that ENOUGH pairs reach, it is the measured share of pairs. Beyond, it falls
 * exponentially, with the maximum-likelihood slope of the highest TAIL_FROM of the scores (one over their mean excess).
 * Real tails end sooner than an exponential, so the extrapolated FMR is too high rather than too low.
 * @param sorted scores of impostor pairs, ascending
 * @param highest possible score: 1 of inner products
 * @throws RangeError when there are too few pairs
 */
export function fitCurve(sorted: Float64Array, highest = 1): FittedCurve {
  const n = sorted.length;
  if (n * TAIL_FROM < ENOUGH) throw new RangeError(`${n} impostor pairs are too few for a curve`);
  const knots = measuredKnots(sorted);
  const [innerProduct, log10Fmr] = knots.at(-1)!;
  const tailSlope = slopeOfTail(sorted);
  knots.push(...tailKnots(innerProduct, log10Fmr, tailSlope, highest));
  return { knots, evidenceEnd: { innerProduct, log10Fmr }, tailSlope };
}

function measuredKnots(sorted: Float64Array): Knot[] {
  const n = sorted.length;
  const knots: Knot[] = [[round(sorted[0]!), 0]];
  for (let log = -STEP; ; log -= STEP) {
    const above = Math.round(n * 10 ** log);
    if (above < ENOUGH) return knots;
    const x = round(sorted[n - above]!);
    if (x > knots.at(-1)![0]) knots.push([x, round(log)]);
  }
}

function slopeOfTail(sorted: Float64Array): number {
  const count = Math.floor(sorted.length * TAIL_FROM);
  const start = sorted[sorted.length - count - 1]!;
  const excess =
    sorted.subarray(sorted.length - count).reduce((sum, score) => sum + score - start, 0) / count;
  return round(1 / excess / Math.LN10);
}

/** One knot at FLOOR, or at the highest score if the slope does not reach FLOOR before. */
function tailKnots(x: number, log: number, slope: number, highest: number): Knot[] {
  const end = x + (log - FLOOR) / slope;
  return [end < highest ? [round(end), FLOOR] : [highest, round(log - (highest - x) * slope)]];
}

/** The precision of stored curves: five decimals. */
export const round = (value: number): number => Math.round(value * 1e5) / 1e5;
