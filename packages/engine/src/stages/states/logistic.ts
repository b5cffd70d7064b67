import type { StateEstimate } from '../../types.ts';

/** 1 / (1 + e^−x) */
export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** The likelier state and its probability. @param odds log odds (natural logarithm) of "open" */
export function estimateFromOdds(odds: number): StateEstimate<'open' | 'closed'> {
  const open = sigmoid(odds);
  return open >= 0.5 ? { state: 'open', score: open } : { state: 'closed', score: 1 - open };
}
