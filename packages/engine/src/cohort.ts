import { type CalibrationCurve, innerProduct, log10Fmr, similarityAtFmr } from './similarity.ts';

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
 */

/** People that a cohort has at least. */
export const MIN_COHORT = 10;
/** People measured at most; of larger galleries a sample is drawn. */
export const MAX_COHORT = 512;

/** a, the weight of a person's own mean. Chosen on `dev`, as the constants below, see docs/accuracy.md. */
const PERSON_WEIGHT = 0.35;
/** People that the pack's mean product and its deviation count for. */
const MEAN_PRIOR = 5;
const DEVIATION_PRIOR = 10;
/** Products between people are clipped to so many deviations: twins and duplicates count as very similar people. */
const CLIP = 3;

/** The impostor statistics of a pack and its FMR by normalised score. */
export type CohortCurve = NonNullable<CalibrationCurve['cohort']>;

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
  /** σ before it is blended with the pack's, 0 or more. */
  readonly deviation: number;
}

/** One probe, to be compared with the references of a gallery. */
export interface CohortProbe {
  /** Its product with a reference is the score to search by; not of unit length. */
  readonly query: Float32Array;
  /** The normalised score of a product with `query`, in deviations. */
  scoreOf(product: number): number;
  /** Calibrated similarity, 0…0.9999, of a product with `query`; 1 of the same picture. Monotone below 1. */
  similarityOf(product: number): number;
}

/**
 * Measures a cohort: 130,000 products for 512 people.
 * @param templates one a person, MIN_COHORT…MAX_COHORT
 * @param pause awaited after the products of each person, about 0.1 ms
 * @throws RangeError with another number of templates
 */
export async function measureCohort(
  templates: readonly Float32Array[],
  complete: boolean,
  pause: () => Promise<void> = async () => {},
): Promise<CohortStatistics> {
  const people = templates.length;
  if (people < MIN_COHORT || people > MAX_COHORT) {
    throw new RangeError(`a cohort of ${people} people; allowed are ${MIN_COHORT} to ${MAX_COHORT}`);
  }
  const products = new Float64Array((people * (people - 1)) / 2);
  const sums = new Float64Array(people);
  for (let i = 0, at = 0; i < people; i++) {
    for (let j = 0; j < i; j++, at++) {
      const product = innerProduct(templates[i]!, templates[j]!);
      products[at] = product;
      sums[i]! += product;
      sums[j]! += product;
    }
    await pause();
  }
  const product = products.reduce((sum, value) => sum + value, 0) / products.length;
  const deviation = clippedDeviation(residuals(products, sums, product));
  return { people, complete, mean: meanTemplate(templates), product, deviation };
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
  const { people, complete, mean } = cohort;
  // (n μ − d − 1) ÷ (n − 2), where the product of a template with itself counts as 1.
  const own = complete ? PERSON_WEIGHT / (people - 2) : 0;
  const slope = 1 + 2 * own;
  const offset = 2 * own + shiftOf(curve, cohort);
  const spread = spreadOf(curve, cohort);
  return {
    mean,
    weight: (complete ? own * people : PERSON_WEIGHT) / slope,
    similarityOf: (score) => similarityAtFmr(log10Fmr(curve.knots, (slope * score + offset) / spread)),
  };
}

/** Prepares a probe for comparisons. @param template of the probe, of unit length */
export function cohortProbe(
  curve: CohortCurve,
  cohort: CohortStatistics,
  template: Float32Array,
): CohortProbe {
  const { people, complete, mean } = cohort;
  const a = PERSON_WEIGHT;
  // Leaves the claimed person out of both means: μ without one is (n μ − d) ÷ (n − 1), where r · r counts as 1.
  const own = complete ? a / (people - 1) : 0;
  const slope = 1 + own;
  const beta = (a + own) / slope;
  const query = template.map((value, i) => value - beta * mean[i]!);
  const offset = own - (a + own) * innerProduct(template, mean) + shiftOf(curve, cohort);
  const spread = spreadOf(curve, cohort);
  const itself = innerProduct(query, template);
  const scoreOf = (found: number) => (slope * found + offset) / spread;
  return {
    query,
    scoreOf,
    similarityOf: (found) =>
      Math.abs(found - itself) < SAME ? 1 : similarityAtFmr(log10Fmr(curve.knots, scoreOf(found))),
  };
}

/** 2 a M − m, the part of the numerator that is the same for all pairs. */
function shiftOf(curve: CohortCurve, { people, product }: CohortStatistics): number {
  return 2 * PERSON_WEIGHT * product - blend(product, curve.mean, people, MEAN_PRIOR);
}

/** σ */
function spreadOf(curve: CohortCurve, { people, deviation }: CohortStatistics): number {
  return Math.sqrt(blend(deviation ** 2, curve.deviation ** 2, people, DEVIATION_PRIOR));
}

/** Rounding of the product of a template with itself, see `similarityOf`. */
const SAME = 1e-6;

function blend(own: number, prior: number, people: number, priorPeople: number): number {
  return (people * own + priorPeople * prior) / (people + priorPeople);
}

/** Numerators of s − M between people; the means leave out both people of the pair, as they do for a probe. */
function residuals(products: Float64Array, sums: Float64Array, product: number): Float64Array {
  const people = sums.length;
  const a = PERSON_WEIGHT;
  const found = new Float64Array(products.length);
  for (let i = 0, at = 0; i < people; i++) {
    for (let j = 0; j < i; j++, at++) {
      const d = products[at]!;
      const means = (sums[i]! + sums[j]! - 2 * d) / (people - 2);
      found[at] = d - product - a * (means - 2 * product);
    }
  }
  return found;
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
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return [mean, Math.sqrt(variance)];
}

function meanTemplate(templates: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(templates[0]!.length);
  for (const template of templates) for (let i = 0; i < sum.length; i++) sum[i]! += template[i]!;
  return Float32Array.from(sum, (value) => value / templates.length);
}
