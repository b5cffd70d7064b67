import type { Judged } from '../types.ts';

/** 1 / (1 + e^−x) */
export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** A logistic curve: probability of "open" = sigmoid(slope × (openness − middle)). */
export interface OpenCurve {
  readonly middle: number;
  readonly slope: number;
}

/** The likelier state and its probability. */
export function judgeOpen(openness: number, { middle, slope }: OpenCurve): Judged<'open' | 'closed'> {
  const open = sigmoid(slope * (openness - middle));
  return open >= 0.5 ? { state: 'open', score: open } : { state: 'closed', score: 1 - open };
}
