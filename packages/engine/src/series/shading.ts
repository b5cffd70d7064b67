import { combineColumns, fitColumns } from '../imaging/least-squares.ts';
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
  const places = used.map(({ place }) => SKIN_PLACES[place]!);
  const plane = [places.map(() => 1), places.map(({ x }) => x), places.map(({ y }) => y)];
  let residuals = ratios;
  let weights = ratios.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    const fitted = combineColumns(plane, fitColumns(plane, ratios, weights));
    residuals = ratios.map((ratio, i) => Math.abs(ratio - fitted[i]!));
    const floor = Math.max(LEAST_RESIDUAL, quantile(residuals, 0.5));
    weights = residuals.map((residual) => 1 / Math.max(floor, residual));
  }
  return quantile(residuals, QUANTILE);
}

/** @param share 0…1 */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
