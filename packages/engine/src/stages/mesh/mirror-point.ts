import { MEAN_FACE } from './pose.ts';

/** For each point of the mesh the one at the same place on the other side of the face, itself in the middle. */
const others: readonly number[] = Array.from({ length: MEAN_FACE.length / 3 }, (_, point) => nearest(point));

/** Number of the point of the mesh that a mirror shows where this one is. @param point 0…467 */
export function mirrorPoint(point: number): number {
  return others[point]!;
}

/** The mean face is symmetric, so the point nearest to the mirror image of one lies exactly there. */
function nearest(point: number): number {
  const [x, y, z] = [-MEAN_FACE[3 * point]!, MEAN_FACE[3 * point + 1]!, MEAN_FACE[3 * point + 2]!];
  let best = point;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; 3 * i < MEAN_FACE.length; i++) {
    const apart = Math.hypot(MEAN_FACE[3 * i]! - x, MEAN_FACE[3 * i + 1]! - y, MEAN_FACE[3 * i + 2]! - z);
    if (apart >= least) continue;
    least = apart;
    best = i;
  }
  return best;
}
