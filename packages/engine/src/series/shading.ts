import { SKIN_PLACES } from '../stages/mesh/skin-places.ts';
import type { PatchComparison } from './skin-detail.ts';

/** Brightness outside of these is clipped by the sensor or a program. */
const DARKEST = 12;
const BRIGHTEST = 243;
/** Added to brightness before its logarithm is taken. */
const BLACK = 3;
/** Fewest places that a plane is fitted to. */
const MIN_PLACES = 6;
/** Rounds of the fit; it settles after about three. */
const ROUNDS = 4;
/** Least residual that is still weighed down. */
const LEAST_RESIDUAL = 0.003;
/** Quantile of the residuals that is returned. */
const QUANTILE = 0.75;

/**
 * How much the shading of a face changed between two frames, beyond a change of exposure and of light from one side: the
 * upper quartile over the places of the skin of |log ratio of brightness less the plane fitted to it| (least absolute
 * deviations). Light falls differently on each part of a head that turns; on a still picture it is fixed to the skin.
 * Means of 16 × 16 pixels have no noise.
 *
 * @returns 0 (no change) and more; about 0.03 for animated stills, 0.15 for heads; undefined with too few places
 */
export function shadingChange(comparisons: readonly PatchComparison[]): number | undefined {
  const seen = comparisons.filter(({ brightness }) => brightness.every((b) => b > DARKEST && b < BRIGHTEST));
  const used = seen.length >= MIN_PLACES ? seen : comparisons;
  if (used.length < MIN_PLACES) return undefined;
  const ratios = used.map(({ brightness: [a, b] }) => Math.log((a + BLACK) / (b + BLACK)));
  const at = used.map(({ place }) => [1, SKIN_PLACES[place]!.x, SKIN_PLACES[place]!.y] as const);
  let residuals = ratios;
  let weights = ratios.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    const plane = fitPlane(at, ratios, weights);
    residuals = ratios.map((ratio, i) => Math.abs(ratio - at[i]!.reduce((s, v, k) => s + v * plane[k]!, 0)));
    const floor = Math.max(LEAST_RESIDUAL, quantile(residuals, 0.5));
    weights = residuals.map((residual) => 1 / Math.max(floor, residual));
  }
  return quantile(residuals, QUANTILE);
}

type Row = readonly [number, number, number];

/** Weighted least squares by Cramer's rule. */
function fitPlane(at: readonly Row[], values: readonly number[], weights: readonly number[]): Row {
  const sum = (of: (i: number) => number) => at.reduce((total, _, i) => total + weights[i]! * of(i), 0);
  const matrix = [0, 1, 2].map((p) =>
    [0, 1, 2].map((q) => sum((i) => at[i]![p]! * at[i]![q]!)),
  ) as unknown as readonly [Row, Row, Row];
  const right = [0, 1, 2].map((p) => sum((i) => at[i]![p]! * values[i]!)) as unknown as Row;
  const det = determinant(...matrix);
  if (!(Math.abs(det) > 1e-9)) return [right[0] / matrix[0][0], 0, 0];
  const replaced = (column: number) =>
    determinant(
      ...(matrix.map((row, p) => row.map((value, q) => (q === column ? right[p]! : value))) as unknown as [
        Row,
        Row,
        Row,
      ]),
    );
  return [replaced(0) / det, replaced(1) / det, replaced(2) / det];
}

function determinant(a: Row, b: Row, c: Row): number {
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0])
  );
}

/** @param share 0…1 */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
