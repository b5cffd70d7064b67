import { type CalibrationCurve, parseCurve } from '../similarity.ts';

/**
 * @NOTE provisional calibration
 * A pack whose scores nobody has measured here starts with the FMRs that were published for its embedder. Between them
 * log10 of the FMR is linear. Below the first the products of impostor pairs count as normal; beyond the last the FMR
 * falls along the tangent of a normal tail, which lies above the tail: the claimed FMR is too high rather than too low.
 */

/** A published FMR: of impostor pairs at or above an inner product. */
export interface OperatingPoint {
  /** Inner product, 0…1. */
  readonly product: number;
  /** 1e-6…0.5. */
  readonly fmr: number;
}

/** What was published about the embedder of a pack; points in the order of their products. */
export interface PublishedPoints {
  /** Where, and of which pictures and pairs. */
  readonly source: string;
  /** Mean product of impostor pairs; 0 where it was not published. */
  readonly mean?: number | undefined;
  readonly points: readonly OperatingPoint[];
  /** Among similar people; comparisons of two unknown people use them. */
  readonly similarPeople?: readonly OperatingPoint[] | undefined;
}

/** log10 of the FMR at which the curve ends: similarity 0.9999. */
const FLOOR = -6;

/** Steps of the normal part below the first point, in deviations. */
const STEP = 0.5;

/**
 * Decades of a claim that are kept. With the scores of another pack the FMR of normalised scores was up to 0.14 decades above the
 * claim at 1e-3, and 0.32 at 1e-4 (docs/adr/0004-similarity-is-a-false-match-rate.md).
 */
const KEPT_DECADES = 0.92;

type Knot = [product: number, log10Fmr: number];

/**
 * A curve for a pack without one.
 * @param normalisedKnots log10 FMR by normalised score of another pack: these scores are in deviations of each pack's own
 * @throws EngineError `pack` when the points make no monotone curve
 */
export function provisionalCurve(
  pack: string,
  published: PublishedPoints,
  normalisedKnots: readonly (readonly [number, number])[],
): CalibrationCurve {
  const { source, mean = 0, points, similarPeople } = published;
  return parseCurve({
    pack,
    provisional: true,
    evidence: { published: source, points: points.length },
    knots: knotsThrough(points, mean),
    ...(similarPeople && { comparison: { knots: knotsThrough(similarPeople, mean) } }),
    cohort: {
      mean,
      deviation: round(deviationAt(points[0]!, mean)),
      knots: normalisedKnots.map(([score, log]) => [score, round(KEPT_DECADES * log)]),
    },
  });
}

/** Deviation of a normal distribution that has the point's FMR there. */
function deviationAt({ product, fmr }: OperatingPoint, mean: number): number {
  return (product - mean) / zOfShare(fmr);
}

function knotsThrough(points: readonly OperatingPoint[], mean: number): Knot[] {
  const [first, last] = [points[0]!, points.at(-1)!];
  const measured = points.map(({ product, fmr }): Knot => [product, round(Math.log10(fmr))]);
  return [...normalKnots(first, mean), ...measured, tailKnot(last, deviationAt(last, mean))];
}

/** From the mean, where similarity is at most 0.29, to the first point. */
function normalKnots(first: OperatingPoint, mean: number): Knot[] {
  const deviation = deviationAt(first, mean);
  const knots: Knot[] = [[round(mean - deviation), 0]];
  for (let z = 0; mean + z * deviation < first.product - 1e-4; z += STEP) {
    knots.push([round(mean + z * deviation), round(Math.log10(upperTail(z)))]);
  }
  return knots;
}

/** Knot at FLOOR, or at a product of 1 if the tangent does not reach FLOOR before. */
function tailKnot({ product, fmr }: OperatingPoint, deviation: number): Knot {
  const z = zOfShare(fmr);
  const slope = density(z) / upperTail(z) / deviation / Math.LN10;
  const log = Math.log10(fmr);
  const end = product + (log - FLOOR) / slope;
  return end < 1 ? [round(end), FLOOR] : [1, round(log - (1 - product) * slope)];
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;

/** Share of a standard normal distribution at or above z, 0 or more (Abramowitz and Stegun 26.2.17, error 7.5e-8). */
export function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return density(z) * sum;
}

/** Density of a standard normal distribution. */
function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** The z that a share of a standard normal distribution is above. @param share 1e-6…0.5 */
function zOfShare(share: number): number {
  let [low, high] = [0, 6];
  for (let pass = 0; pass < 60; pass++) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > share) low = middle;
    else high = middle;
  }
  return low;
}
