import type { CohortCurve } from '../types.ts';

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
