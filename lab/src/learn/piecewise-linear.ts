import { type PiecewiseLinear, piecewiseLinear } from '@wajah/engine/training';

/** Target of a curve at `x`, with the bounds of its value where they are known; degrees. */
export interface CurveTarget {
  readonly x: number;
  readonly target: number;
  readonly min?: number;
  readonly max?: number;
}

/** Weight of a degree outside of the bounds, relative to a degree of distance from the target. */
const OUTSIDE = 4;
/** Weight of squared changes of slope, so that fits of few examples stay smooth. */
const SMOOTH = 1;
const FIRST_STEP = 4;
const LAST_STEP = 0.02;

/**
 * Fits a piecewise linear curve with least mean absolute distance from its targets, by coordinate descent with shrinking
 * steps from the identity: deterministic.
 * @param from x of the knots, ascending
 */
export function fitPiecewiseLinear(
  from: readonly number[],
  targets: readonly CurveTarget[],
): PiecewiseLinear {
  let to = [...from];
  let loss = lossOf({ from, to }, targets);
  for (let step = FIRST_STEP; step > LAST_STEP; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const change of [step, -step]) {
        for (let i = 0; i < to.length; i++) {
          const tried = to.with(i, to[i]! + change);
          const now = lossOf({ from, to: tried }, targets);
          if (now >= loss - 1e-9) continue;
          [to, loss, moved] = [tried, now, true];
        }
      }
    }
  }
  return { from, to: to.map((value) => Math.round(value * 10) / 10) };
}

function lossOf(bend: PiecewiseLinear, targets: readonly CurveTarget[]): number {
  const far = targets.map(({ x, target: wanted, min: least = -Infinity, max: most = Infinity }) => {
    const value = piecewiseLinear(bend, x);
    return Math.abs(value - wanted) + OUTSIDE * Math.max(0, least - value, value - most);
  });
  const slopes = bend.from.slice(1).map((end, i) => (bend.to[i + 1]! - bend.to[i]!) / (end - bend.from[i]!));
  const turns = slopes.slice(1).map((slope, i) => (slope - slopes[i]!) ** 2);
  // A falling curve would map a larger angle to a smaller one.
  const falls = slopes.some((slope) => slope < 0.3) ? 1e3 : 0;
  return (
    far.reduce((sum, value) => sum + value, 0) / targets.length +
    SMOOTH * turns.reduce((sum, value) => sum + value, 0) +
    falls
  );
}
