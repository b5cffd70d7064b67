/** A curve of straight pieces through the points (from, to), `from` rising; beyond its ends it goes straight on. */
export interface PiecewiseLinear {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** The value of the curve at x. */
export function piecewiseLinear({ from, to }: PiecewiseLinear, x: number): number {
  const next = from.findIndex((end, i) => i > 0 && x < end);
  const i = next < 0 ? from.length - 1 : next;
  const share = (x - from[i - 1]!) / (from[i]! - from[i - 1]!);
  return to[i - 1]! + share * (to[i]! - to[i - 1]!);
}
