import { innerProduct, log10Fmr, similarityAtFmr } from '../similarity.ts';
import type { CohortCurve } from '../types.ts';

/** People that a cohort has at least. */
export const MIN_COHORT = 5;
/** People measured at most; of larger galleries a sample is drawn. */
export const MAX_COHORT = 512;

/** Largest a. Chosen on `dev`, as the constants below, see ADR 32. */
const MAX_PERSON_WEIGHT = 0.5;
/** A cohort of so many people gets half of a. */
const WEIGHT_PRIOR = 10;
/** Products between people are clipped to so many deviations: twins and duplicates count as very similar people. */
const CLIP = 3;

/** Statistics of the products between different people of a cohort. */
export interface CohortStatistics {
  /** People measured, MIN_COHORT…MAX_COHORT. */
  readonly people: number;
  /** They are all people of the gallery, so that the claimed person is one of them. */
  readonly complete: boolean;
  /** Mean of the templates. */
  readonly mean: Float32Array;
  /** M, −1…1. */
  readonly product: number;
  /** a, 0…0.5. */
  readonly weight: number;
  /** σ before it is blended with the pack's, 0 or more. */
  readonly deviation: number;
}

/** How a cohort is measured. */
interface CohortOptions {
  readonly complete: boolean;
  same?(product: number): boolean;
  pause?(): Promise<void>;
}

/**
 * Measures a cohort: 130,000 products for 512 people.
 * @param curve of the pack; its statistics weigh as much as few people
 * @param templates references of MAX_COHORT people at most; shorter than 1 where they are means of several templates
 * @param same whether two templates with this product count as one person, of whom the first is measured
 * @param pause awaited after the products of each person, about 0.1 ms
 * @returns null with fewer than MIN_COHORT people
 * @throws RangeError with more than MAX_COHORT templates
 */
export async function measureCohort(
  curve: CohortCurve,
  templates: Iterable<Float32Array>,
  { complete, same = () => false, pause = async () => {} }: CohortOptions,
): Promise<CohortStatistics | null> {
  const measured: Float32Array[] = [];
  const products: number[] = [];
  for (const reference of templates) {
    const template = halfShortened(reference);
    const own = measured.map((other) => innerProduct(template, other));
    if (!own.some(same)) {
      for (const product of own) products.push(product);
      measured.push(template);
    }
    await pause();
  }
  const people = measured.length;
  if (people > MAX_COHORT) throw new RangeError(`a cohort of ${people} people; ${MAX_COHORT} are allowed`);
  if (people < MIN_COHORT) return null;
  const product = meanOf(products);
  const weight =
    (clamp(likenessOf(curve, product, people), MAX_PERSON_WEIGHT) * people) / (people + WEIGHT_PRIOR);
  const deviation = clippedDeviation(residuals(products, people, product, weight));
  return { people, complete, mean: meanTemplate(measured), product, weight, deviation };
}

/**
 * A probe has unit length and a mean of several templates has not: the product of two references that are both shortened
 * half as much is that of a reference with a probe.
 */
function halfShortened(template: Float32Array): Float32Array {
  const scale = innerProduct(template, template) ** -0.25;
  return template.map((value) => value * scale);
}

/** Numerators of s − M between people; the means leave out both people of the pair, as they do for a probe. */
function residuals(products: readonly number[], people: number, product: number, a: number): Float64Array {
  const sums = new Float64Array(people);
  forEachPair(people, (i, j, at) => {
    sums[i]! += products[at]!;
    sums[j]! += products[at]!;
  });
  const found = new Float64Array(products.length);
  forEachPair(people, (i, j, at) => {
    const d = products[at]!;
    const means = (sums[i]! + sums[j]! - 2 * d) / (people - 2);
    found[at] = d - product - a * (means - 2 * product);
  });
  return found;
}

/** Pairs of people in the order of their products. */
function forEachPair(people: number, visit: (i: number, j: number, at: number) => void): void {
  for (let i = 0, at = 0; i < people; i++) for (let j = 0; j < i; j++, at++) visit(i, j, at);
}

/** Deviation of values winsorised at CLIP deviations from their mean, iterated. */
function clippedDeviation(values: Float64Array): number {
  let [centre, deviation] = moments(values);
  for (let pass = 0; pass < 4; pass++) {
    const [low, high] = [centre - CLIP * deviation, centre + CLIP * deviation];
    [centre, deviation] = moments(values.map((value) => Math.min(high, Math.max(low, value))));
  }
  return deviation;
}

function moments(values: Float64Array): [mean: number, deviation: number] {
  const mean = meanOf(values);
  return [mean, Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))];
}

function meanOf(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function meanTemplate(templates: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(templates[0]!.length);
  for (const template of templates) for (let i = 0; i < sum.length; i++) sum[i]! += template[i]!;
  return Float32Array.from(sum, (value) => value / templates.length);
}

/** People that the pack's mean product counts for. Chosen on `dev`, see ADR 32. */
const MEAN_PRIOR = 2;

/** h: 0 in a mixed crowd. */
function likenessOf(curve: CohortCurve, product: number, people: number): number {
  return (blendedMean(curve, product, people) - curve.mean) / curve.deviation;
}

/** m */
function blendedMean({ mean }: CohortCurve, product: number, people: number): number {
  return blend(product, mean, people, MEAN_PRIOR);
}

/** Weighted mean. */
function blend(one: number, other: number, weight: number, otherWeight: number): number {
  return (weight * one + otherWeight * other) / (weight + otherWeight);
}

/** @returns 0…highest */
function clamp(value: number, highest: number): number {
  return Math.min(highest, Math.max(0, value));
}

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
interface CohortProbe {
  /** Its product with a reference is the score to search by; not of unit length. */
  readonly query: Float32Array;
  /** The normalised score of a product with `query`, in deviations. */
  scoreOf(product: number): number;
  /** Calibrated similarity, 0…0.9999, of a product with `query`; 1 of the same picture. Monotone below 1. */
  similarityOf(product: number): number;
}

/** Scores of pairs of people who are both enrolled in the gallery. */
interface CohortPairs {
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
