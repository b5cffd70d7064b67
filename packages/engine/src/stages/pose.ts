import type { Pose } from '../types.ts';
import type { Mesh } from './mesh.ts';

const DEGREES = 180 / Math.PI;

/** Temples (at the left and right of the face as seen), top of the forehead, chin. */
const LEFT_EDGE = 234;
const RIGHT_EDGE = 454;
const FOREHEAD = 10;
const CHIN = 152;

/** Head angles from the axes of the mesh. */
export function poseOf(mesh: Mesh): Pose {
  const across = axis(mesh, LEFT_EDGE, RIGHT_EDGE);
  const down = axis(mesh, FOREHEAD, CHIN);
  return {
    yaw: Math.atan2(across.z, Math.hypot(across.x, across.y)) * DEGREES,
    pitch: -Math.atan2(down.z, Math.hypot(down.x, down.y)) * DEGREES,
    roll: Math.atan2(across.y, across.x) * DEGREES,
  };
}

function axis({ points }: Mesh, from: number, to: number) {
  return {
    x: points[to * 3]! - points[from * 3]!,
    y: points[to * 3 + 1]! - points[from * 3 + 1]!,
    z: points[to * 3 + 2]! - points[from * 3 + 2]!,
  };
}
