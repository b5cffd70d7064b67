import { quantile } from './shading.ts';
import { compareSkin, skinDetailOf } from './skin-detail.ts';
import type { FaceWithSkin } from './stillness.ts';

/** Largest yaw and pitch, degrees, of a frontal head. */
const FRONTAL = 14;
/** Fewest places to compare. */
const MIN_PLACES = 6;

/**
 * Correlation of the skin of two frontal frames below which they are not of one sitting. On `dev`: 0 of 376 pairs of
 * frames of one film, a second or more apart, are below (the least 0.90), 0 of 60 pairs of photographs of one sitting with
 * different expressions (`yale`; 1 of 52 where glasses were put on); of other pictures, 25 of 39 pairs of one person
 * (`bbt`) and 106 of 134 of two people are.
 */
export const MIN_SITTING_CORRELATION = 0.8;

/**
 * Correlation, −1…1, of the skin of two frontal faces analysed with `pose` and `skin`: the median over the places, so that
 * eyes and mouth may change. Frames of one sitting share light, skin and camera; two pictures of one person do not.
 * @returns undefined where a face is not frontal or too few places are seen
 */
export function sittingCorrelation(a: FaceWithSkin, b: FaceWithSkin): number | undefined {
  if (!a.skin || !b.skin || !isFrontal(a) || !isFrontal(b)) return undefined;
  const comparisons = compareSkin(skinDetailOf(a.skin), skinDetailOf(b.skin));
  if (comparisons.length < MIN_PLACES) return undefined;
  return quantile(
    comparisons.map(({ correlation }) => correlation),
    0.5,
  );
}

function isFrontal({ pose }: FaceWithSkin): boolean {
  return pose !== undefined && Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) < FRONTAL;
}
