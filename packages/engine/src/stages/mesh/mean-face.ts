import { z } from 'zod';
import { readLearned } from '../learned.ts';

/** Points of a face mesh. */
export const POINTS = 468;

const knots = z
  .object({ from: z.array(z.number()).min(2), to: z.array(z.number()).min(2) })
  .refine(({ from, to }) => from.length === to.length, '`from` and `to` must be of one length');

/** The mean face with its provenance, written by `lab/src/training/train-mean-face.ts`. */
const model = readLearned(
  'mean-face.json',
  z.object({ points: z.array(z.number()).length(POINTS * 3), yaw: knots, pitch: knots }),
);

/** x, y, z of 468 points of a face looking straight ahead: y down, z away from the camera, unit half the face width. */
export const MEAN_FACE: readonly number[] = model.points;

/** Correction of measured yaw and pitch, degrees: the mesh flattens strong turns. */
export const ANGLE_CORRECTION = { yaw: model.yaw, pitch: model.pitch } as const;

let mirrored: readonly number[] | undefined;

/** Number of the mesh point at the same place on the other side of the face; itself on the middle line. @param point 0…467 */
export function mirrorPoint(point: number): number {
  // Found on the first use: a server's own process needs none.
  mirrored ??= Array.from({ length: MEAN_FACE.length / 3 }, (_, each) => nearestToMirrorImage(each));
  return mirrored[point]!;
}

/** The mean face is symmetric, so the point nearest to the mirror image of one lies exactly there. */
function nearestToMirrorImage(point: number): number {
  const [x, y, z] = [-MEAN_FACE[3 * point]!, MEAN_FACE[3 * point + 1]!, MEAN_FACE[3 * point + 2]!];
  let best = point;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; 3 * i < MEAN_FACE.length; i++) {
    const [dx, dy, dz] = [MEAN_FACE[3 * i]! - x, MEAN_FACE[3 * i + 1]! - y, MEAN_FACE[3 * i + 2]! - z];
    // `Math.hypot` would take 30 ms more of every start.
    const apart = dx * dx + dy * dy + dz * dz;
    if (apart >= least) continue;
    least = apart;
    best = i;
  }
  return best;
}
