import { innerProduct, log10Fmr, similarityAtFmr } from '../similarity.ts';
import type { CohortCurve } from '../types.ts';
import { blend, blendedMean, type CohortStatistics, clamp, likenessOf } from './measure.ts';

/**
 * @NOTE cohort normalisation
 * The FMR of an inner product depends on the people compared: those of one region are more alike than those of a mixed
 * crowd. A gallery's own people are the impostors that its scores claim something about, so a score is measured against
 * them (symmetric score normalisation: Auckenthaler, Carey and Lloyd-Thomas 2000; Matějka et al. 2017):
 *
 *   s = [d − m − a (μp − M) − a (μr − M)] / σ
 *
 * with d the product of probe and reference, μp and μr the mean products of the probe and of the reference with the
 * people of the cohort other than the claimed one, M the mean product of two of its people, σ the deviation of the
 * numerator between two of its people, and m the value of M blended with the pack's. μ is the product with the cohort's
 * mean template. For a fixed probe s is thus a line with a positive slope of the product of (probe − β × mean) with the
 * reference: an exact search for that vector finds the highest s.
 *
 * Likeness h is m above the pack's mean, in the pack's deviations. Among a mixed crowd (h = 0) the means of single
 * people do not help, so that a rises with h; and the FMR of a score falls faster among people who are alike, so that it
 * is read between two curves by h.
 */

/** A cohort of so many people, and thus its square of pairs, counts as much as the pack's deviation. */
const DEVIATION_PRIOR = 20;

/** One probe, to be compared with the references of a gallery. */
export interface CohortProbe {
  /** Its product with a reference is the score to search by; not of unit length. */
  readonly query: Float32Array;
  /** The normalised score of a product with `query`, in deviations. */
  scoreOf(product: number): number;
  /** Calibrated similarity, 0…0.9999, of a product with `query`; 1 of the same picture. Monotone below 1. */
  similarityOf(product: number): number;
}

/** Scores of pairs of people who are both enrolled in the gallery. */
export interface CohortPairs {
  /** Mean template of the cohort. */
  readonly mean: Float32Array;
  /** The score of a pair (p, r) is p · r − weight × (p + r) · mean. */
  readonly weight: number;
  /** Calibrated similarity, 0…0.9999, of such a score. Monotone. */
  similarityOf(score: number): number;
}

/** The scores of pairs of a cohort's people: as those of a probe, without both people of the pair in both means. */
export function cohortPairs(curve: CohortCurve, cohort: CohortStatistics): CohortPairs {
  const { people, complete, mean, weight: a } = cohort;
  // (n μ − d − 1) ÷ (n − 2), where the product of a template with itself counts as 1.
  const own = complete ? a / (people - 2) : 0;
  const slope = 1 + 2 * own;
  const offset = 2 * own + shiftOf(curve, cohort);
  const spread = spreadOf(curve, cohort);
  const similarityAt = similarityAmong(curve, cohort);
  return {
    mean,
    weight: (complete ? own * people : a) / slope,
    similarityOf: (score) => similarityAt((slope * score + offset) / spread),
  };
}

/** Prepares a probe for comparisons. @param template of the probe, of unit length */
export function cohortProbe(
  curve: CohortCurve,
  cohort: CohortStatistics,
  template: Float32Array,
): CohortProbe {
  const { people, complete, mean, weight: a } = cohort;
  // Leaves the claimed person out of both means: μ without one is (n μ − d) ÷ (n − 1), where r · r counts as 1.
  const own = complete ? a / (people - 1) : 0;
  const slope = 1 + own;
  const beta = (a + own) / slope;
  const query = template.map((value, i) => value - beta * mean[i]!);
  const offset = own - (a + own) * innerProduct(template, mean) + shiftOf(curve, cohort);
  const spread = spreadOf(curve, cohort);
  const itself = innerProduct(query, template);
  const scoreOf = (found: number) => (slope * found + offset) / spread;
  const similarityAt = similarityAmong(curve, cohort);
  return {
    query,
    scoreOf,
    similarityOf: (found) => (Math.abs(found - itself) < SAME ? 1 : similarityAt(scoreOf(found))),
  };
}

/** 2 a M − m, the part of the numerator that is the same for all pairs. */
function shiftOf(curve: CohortCurve, { people, product, weight }: CohortStatistics): number {
  return 2 * weight * product - blendedMean(curve, product, people);
}

/** σ */
function spreadOf(curve: CohortCurve, { people, deviation }: CohortStatistics): number {
  return Math.sqrt(blend(deviation ** 2, curve.deviation ** 2, people ** 2, DEVIATION_PRIOR ** 2));
}

/** Similarity of a score, by FMRs between those in a mixed crowd and those among similar people. */
function similarityAmong(
  curve: CohortCurve,
  { people, product }: CohortStatistics,
): (score: number) => number {
  const { mean, deviation, knots, similar } = curve;
  if (!similar) return (score) => similarityAtFmr(log10Fmr(knots, score));
  const share = clamp((likenessOf(curve, product, people) * deviation) / (similar.mean - mean), 1);
  return (score) =>
    similarityAtFmr((1 - share) * log10Fmr(knots, score) + share * log10Fmr(similar.knots, score));
}

/** Rounding of the product of a template with itself, see `similarityOf`. */
const SAME = 1e-6;
