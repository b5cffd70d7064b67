import { type PiecewiseLinear, piecewiseLinear } from '@wajah/engine/training';

/** What the curve's value should be at x, and between which bounds it should stay, as far as they are known. */
export interface CurveTarget {
  readonly x: number;
  readonly target: number;
  readonly min?: number;
  readonly max?: number;
}

/** How much a degree outside of the bounds counts, in degrees of mean distance. */
const OUTSIDE = 4;
/** How much the change of slope at a point counts: fits of few examples stay smooth. */
const SMOOTH = 1;
const FIRST_STEP = 4;
const LAST_STEP = 0.02;

/**
 * Curve through given places that comes close to its aims: least mean distance, bounds counting OUTSIDE times.
 * Coordinate descent with shrinking steps from the identity: no randomness, the same curve on each run.
 * @param from places of the points, rising
 */
export function fitPiecewiseLinear(from: readonly number[], aims: readonly CurveTarget[]): PiecewiseLinear {
  let to = [...from];
  let loss = lossOf({ from, to }, aims);
  for (let step = FIRST_STEP; step > LAST_STEP; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const change of [step, -step]) {
        for (let i = 0; i < to.length; i++) {
          const tried = to.with(i, to[i]! + change);
          const now = lossOf({ from, to: tried }, aims);
          if (now >= loss - 1e-9) continue;
          [to, loss, moved] = [tried, now, true];
        }
      }
    }
  }
  return { from, to: to.map((value) => Math.round(value * 10) / 10) };
}

function lossOf(bend: PiecewiseLinear, aims: readonly CurveTarget[]): number {
  const far = aims.map(({ x, target: wanted, min: least = -Infinity, max: most = Infinity }) => {
    const value = piecewiseLinear(bend, x);
    return Math.abs(value - wanted) + OUTSIDE * Math.max(0, least - value, value - most);
  });
  const slopes = bend.from.slice(1).map((end, i) => (bend.to[i + 1]! - bend.to[i]!) / (end - bend.from[i]!));
  const turns = slopes.slice(1).map((slope, i) => (slope - slopes[i]!) ** 2);
  // A curve that falls back would call a stronger turn a weaker one.
  const falls = slopes.some((slope) => slope < 0.3) ? 1e3 : 0;
  return (
    far.reduce((sum, value) => sum + value, 0) / aims.length +
    SMOOTH * turns.reduce((sum, value) => sum + value, 0) +
    falls
  );
}
