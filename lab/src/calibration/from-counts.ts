import type { CalibrationCurve } from '@wajah/engine';
import { log10Fmr } from '@wajah/engine/training';
import { exactInterval } from '../metrics/bounds.ts';
import { type Knot, round } from './curve.ts';

/**
 * @NOTE calibration on few pairs
 * The share of impostor pairs at a score is known up to its interval, which is wide for few pairs. Inside of it the curve
 * is that of the pack, moved and stretched to the mean and the deviation of the pairs; both count together with the
 * pack's, and the deviation is larger by one standard error. So few pairs cost little, the claimed FMR is never below
 * the counted one, and with many pairs it is the counted one.
 */

/** Impostor pairs: ascending products, each with its number of pairs. */
export type Bins = readonly (readonly [product: number, pairs: number])[];

/** People that the pack's mean and variance count for, as in normalised scores. */
const PRIOR_PEOPLE = { mean: 5, variance: 10 };
/** Distance of knots. */
const STEP = 0.005;
/** log10 of the FMR at which the curve ends. */
const FLOOR = -6;

export const totalOf = (bins: Bins): number => bins.reduce((sum, [, pairs]) => sum + pairs, 0);

/**
 * FMR by inner product, and the statistics of normalised scores.
 * @param bins at least one pair
 * @param people whose pairs they are
 * @param prior the pack's own curve
 */
export function fitFewPairs(
  bins: Bins,
  people: number,
  prior: CalibrationCurve,
): Pick<CalibrationCurve, 'knots' | 'cohort'> {
  const pack = prior.cohort;
  if (!pack) return { knots: knotsFrom(bins, (product) => log10Fmr(prior.knots, product)) };
  const { mean, deviation } = statistics(bins, people, pack);
  const counted = people + PRIOR_PEOPLE.variance;
  const stretched = deviation * (1 + 1 / Math.sqrt(2 * counted));
  const model = (product: number) =>
    log10Fmr(prior.knots, pack.mean + ((product - mean) * pack.deviation) / stretched);
  return {
    knots: knotsFrom(bins, model),
    cohort: { ...pack, mean: round(mean), deviation: round(deviation) },
  };
}

/** Mean and deviation of the products, together with those of the pack. */
function statistics(bins: Bins, people: number, pack: NonNullable<CalibrationCurve['cohort']>) {
  const pairs = totalOf(bins);
  const mean = bins.reduce((sum, [product, count]) => sum + product * count, 0) / pairs;
  const variance = bins.reduce((sum, [product, count]) => sum + (product - mean) ** 2 * count, 0) / pairs;
  const blend = (own: number, packs: number, weight: number) =>
    (people * own + weight * packs) / (people + weight);
  return {
    mean: blend(mean, pack.mean, PRIOR_PEOPLE.mean),
    deviation: Math.sqrt(blend(variance, pack.deviation ** 2, PRIOR_PEOPLE.variance)),
  };
}

function knotsFrom(bins: Bins, model: (product: number) => number): Knot[] {
  const trials = totalOf(bins);
  const knots: Knot[] = [];
  // Counted from the knot before on, so that the line between them is nowhere below the counts.
  let events = trials;
  let next = 0;
  for (let product = bins[0]![0]; product <= 1; product += STEP) {
    for (; next < bins.length && bins[next]![0] < product - STEP; next++) events -= bins[next]![1];
    const highest = Math.log10(exactInterval(events, trials).high);
    const log = Math.max(FLOOR, Math.min(0, highest, Math.max(Math.log10(events / trials), model(product))));
    const before = knots.at(-1);
    if (before?.[1] === 0 && log === 0) before[0] = round(product);
    // A curve falls strictly; where the counts stay the same it falls by the least.
    else knots.push([round(product), round(Math.min(log, (before?.[1] ?? 0) - (before ? 1e-5 : 0)))]);
    if (log === FLOOR) break;
  }
  return knots;
}
