import { anglesOf, type Cloud, fitRotation } from '../../imaging/geometry-3d.ts';
import type { Pose } from '../../types.ts';
import { piecewiseLinear } from '../maths.ts';
import { ANGLE_CORRECTION, MEAN_FACE } from './mean-face.ts';
import type { Mesh } from './mesh.ts';

/** Region of the lips, in units of the mean face: its points move with the mouth and would change the pitch. */
const LIPS = { aside: 0.65, above: 0.45, below: 1.15 } as const;

/** Indices of the coordinates of points outside of the lips. */
const rigid: readonly number[] = [...MEAN_FACE.keys()].filter((i) => {
  const [x, y] = [MEAN_FACE[i - (i % 3)]!, MEAN_FACE[i - (i % 3) + 1]!];
  return Math.abs(x) > LIPS.aside || y < LIPS.above || y > LIPS.below;
});

/** Angles, degrees, of the rotation from `face` to `seen`, without correction; both x, y, z of 468 points. */
export function relativePose(face: Cloud, seen: Cloud): Pose {
  const kept = (cloud: Cloud) => {
    const points = new Float32Array(rigid.length);
    for (let i = 0; i < points.length; i++) points[i] = cloud[rigid[i]!]!;
    return points;
  };
  return anglesOf(fitRotation(kept(face), kept(seen)));
}

/** Head angles, degrees: the rotation that fits the mean face to the mesh, yaw and pitch corrected. */
export function poseOf(mesh: Mesh): Pose {
  const { yaw, pitch, roll } = relativePose(MEAN_FACE, mesh.points);
  return {
    yaw: piecewiseLinear(ANGLE_CORRECTION.yaw, yaw),
    pitch: piecewiseLinear(ANGLE_CORRECTION.pitch, pitch),
    roll,
  };
}
