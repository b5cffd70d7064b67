import { compose, fitSimilarity, scaleOf, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { AlignedFace, Point } from '../../types.ts';
import { MEAN_FACE, POINTS } from './mean-face.ts';
import type { Mesh } from './mesh.ts';

/** Pixels of an aligned face across and down, and to a unit of the mean face: 175 across the face. */
export const ALIGNED = { side: 200, unit: 60 } as const;

const mean = pointsOf(MEAN_FACE);
/** From pixels of an aligned face to the mean face, whose origin lies in the middle. */
const toMean = squareCrop({ x: 0, y: 0 }, ALIGNED.side / ALIGNED.unit, 0, ALIGNED.side);

/** Cuts a face out upright, of one size and at one place: by a similarity, so that its proportions stay. */
export function alignedFaceOf(from: Sampler, { points }: Mesh): AlignedFace {
  const toPicture = fitSimilarity(mean, pointsOf(points));
  const luminance = from.luminance(compose(toPicture, toMean), ALIGNED.side, ALIGNED.side, 'edge');
  return { luma: Uint8Array.from(luminance, Math.round), unit: scaleOf(toPicture) };
}

function pointsOf(points: ArrayLike<number>): Point[] {
  return Array.from({ length: POINTS }, (_, i) => ({ x: points[3 * i]!, y: points[3 * i + 1]! }));
}
