import { skinDetailOf } from './skin-detail.ts';
import { type FaceWithSkin, type SkinChange, skinChange } from './stillness.ts';

/** Largest yaw and pitch, degrees, of a frontal head. */
const FRONTAL = 14;

/**
 * Limits of two frames of one sitting. On `dev`, pairs of frames of one film, a second or more apart, have a correlation of
 * at least 0.90 and a change of shading of at most 0.13 (343 pairs), with other states of eyes and mouth of at least 0.91
 * and at most 0.18 (33 pairs). Other expressions (`yale`, 60 pairs) have at least 0.84, and up to 0.3.
 */
export const SITTING = { minCorrelation: 0.8, maxShading: 0.2 } as const;

/**
 * How much the skin of two frontal faces, analysed with `pose` and `skin`, differs; medians and quartiles over the places,
 * so that eyes and mouth may change. Frames of one sitting share light, skin and camera; pictures of several do not.
 * @returns undefined where a face is not frontal or too few places are seen
 */
export function sittingChange(a: FaceWithSkin, b: FaceWithSkin): SkinChange | undefined {
  if (!a.skin || !b.skin || !isFrontal(a) || !isFrontal(b)) return undefined;
  return skinChange(skinDetailOf(a.skin), skinDetailOf(b.skin));
}

function isFrontal({ pose }: FaceWithSkin): boolean {
  return pose !== undefined && Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch)) < FRONTAL;
}
