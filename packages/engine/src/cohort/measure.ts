import { innerProduct } from '../similarity.ts';
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
export interface CohortOptions {
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
export function likenessOf(curve: CohortCurve, product: number, people: number): number {
  return (blendedMean(curve, product, people) - curve.mean) / curve.deviation;
}

/** m */
export function blendedMean({ mean }: CohortCurve, product: number, people: number): number {
  return blend(product, mean, people, MEAN_PRIOR);
}

/** Weighted mean. */
export function blend(one: number, other: number, weight: number, otherWeight: number): number {
  return (weight * one + otherWeight * other) / (weight + otherWeight);
}

/** @returns 0…highest */
export function clamp(value: number, highest: number): number {
  return Math.min(highest, Math.max(0, value));
}
