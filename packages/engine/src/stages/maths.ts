/** Logistic function 1 / (1 + e^−x): log odds (natural logarithm) to a probability, 0…1. */
export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Inverse of `sigmoid`: a probability, 0…1, to log odds (natural logarithm). */
export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Knots of a piecewise linear function; `from` rises. Beyond its ends the outer pieces are extended. */
export interface PiecewiseLinear {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Value of the function at x. */
export function piecewiseLinear({ from, to }: PiecewiseLinear, x: number): number {
  const next = from.findIndex((end, i) => i > 0 && x < end);
  const i = next < 0 ? from.length - 1 : next;
  const share = (x - from[i - 1]!) / (from[i]! - from[i - 1]!);
  return to[i - 1]! + share * (to[i]! - to[i - 1]!);
}

/** Calls `create` at the first call and returns the same value or promise from then on. */
export function memoize<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
