import { cofactors, type Matrix3 } from '@wajah/engine/training';
import type { Random } from './random.ts';

/** Homography between the points of a sheet before the camera and the frame, in both directions. */
export interface Pose {
  toFrame(x: number, y: number): readonly [number, number];
  toSheet(x: number, y: number): readonly [number, number];
}

/**
 * A random pose of a sheet that maps its point (cx, cy) to the frame's (fx, fy): rotated slightly, sometimes strongly or
 * by a quarter turn, and tilted slightly.
 * @param size of the frame, pixels: the measure of the perspective
 */
export function randomPose(
  random: Random,
  [cx, cy]: readonly [number, number],
  [fx, fy]: readonly [number, number],
  size: number,
): Pose {
  const little = random.chance(0.7) ? 0.06 : 0.3;
  const quarters = random.chance(0.03) ? (random.chance(0.5) ? 1 : -1) : 0;
  const angle = random.between(-little, little) + (quarters * Math.PI) / 2;
  const stretch = random.between(0.93, 1.07);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const p = random.between(-0.15, 0.15) / size;
  const q = random.between(-0.15, 0.15) / size;
  const around: Matrix3 = [c, -s, 0, s * stretch, c * stretch, 0, p, q, 1];
  const matrix = product([1, 0, fx, 0, 1, fy, 0, 0, 1], product(around, [1, 0, -cx, 0, 1, -cy, 0, 0, 1]));
  const back = inverse(matrix);
  return { toFrame: (x, y) => apply(matrix, x, y), toSheet: (x, y) => apply(back, x, y) };
}

/** (x, y, 1) goes to (X/W, Y/W). */
function apply(m: Matrix3, x: number, y: number): readonly [number, number] {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

function product(a: Matrix3, b: Matrix3): Matrix3 {
  const at = (i: number) => {
    const row = Math.floor(i / 3) * 3;
    const column = i % 3;
    return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
  };
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8)];
}

/** Inverse up to a factor, which does not change a homography. */
function inverse(matrix: Matrix3): Matrix3 {
  const [a, b, c, d, e, f, g, h, i] = cofactors(matrix);
  return [a, d, g, b, e, h, c, f, i];
}
