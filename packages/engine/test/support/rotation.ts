import type { Matrix3 } from '../../src/imaging/geometry-3d.ts';
import type { Pose } from '../../src/types.ts';

const DEGREES = 180 / Math.PI;

/** Rotation by angles in degrees: first pitch, then yaw, then roll. */
export function rotationOf({ yaw, pitch, roll }: Pose): Matrix3 {
  const [cy, sy] = [Math.cos(yaw / DEGREES), Math.sin(yaw / DEGREES)];
  const [cp, sp] = [Math.cos(pitch / DEGREES), Math.sin(pitch / DEGREES)];
  const [cr, sr] = [Math.cos(roll / DEGREES), Math.sin(roll / DEGREES)];
  return [
    cr * cy,
    cr * sy * sp - sr * cp,
    -cr * sy * cp - sr * sp,
    sr * cy,
    sr * sy * sp + cr * cp,
    -sr * sy * cp + cr * sp,
    sy,
    -cy * sp,
    cy * cp,
  ];
}
