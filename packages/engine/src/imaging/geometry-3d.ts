import type { Pose } from '../types.ts';

/** A 3 × 3 matrix, row by row. */
export type Matrix3 = readonly [number, number, number, number, number, number, number, number, number];

/** Points in space: x, y, z of each, concatenated. */
export type Cloud = Float32Array | readonly number[];

/** Limit of Newton's iteration, which converges quadratically; faces need about six rounds. */
const ROUNDS = 40;
const SETTLED = 1e-12;

/**
 * Rotation that best maps `from` to `to` about their centroids, at any scale: the orthogonal polar factor of their
 * covariance (Kabsch, 1976) by Newton's iteration X ← (X + X⁻ᵀ) / 2 (Higham, "Computing the Polar Decomposition", 1986).
 * @param from and `to`: the same number of points, in the same order, not all in one plane
 * @throws RangeError when no rotation fits (points in a plane, or one cloud is the mirror image of the other)
 */
export function fitRotation(from: Cloud, to: Cloud): Matrix3 {
  let x = covariance(from, to);
  for (let round = 0; round < ROUNDS; round++) {
    const cof = cofactors(x);
    const det = x[0] * cof[0] + x[1] * cof[1] + x[2] * cof[2];
    if (!(det > 0)) throw new RangeError('No rotation takes these points to those.');
    // Scaling by the determinant speeds up convergence for any unit of length.
    const scale = Math.cbrt(det);
    const next = x.map((value, i) => (value / scale + (cof[i]! * scale) / det) / 2) as unknown as Matrix3;
    const change = Math.max(...next.map((value, i) => Math.abs(value - x[i]!)));
    x = next;
    if (change < SETTLED) break;
  }
  return x;
}

/** Σ to · fromᵀ about the centroids. */
function covariance(from: Cloud, to: Cloud): Matrix3 {
  const f = centre(from);
  const t = centre(to);
  const sum = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < from.length; i += 3) {
    for (let row = 0; row < 3; row++) {
      const across = to[i + row]! - t[row]!;
      for (let column = 0; column < 3; column++) {
        sum[row * 3 + column]! += across * (from[i + column]! - f[column]!);
      }
    }
  }
  return sum as unknown as Matrix3;
}

function centre(cloud: Cloud): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < cloud.length; i++) sum[i % 3]! += cloud[i]!;
  const count = cloud.length / 3;
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** Cofactor matrix: its transpose over the determinant is the inverse. */
export function cofactors([a, b, c, d, e, f, g, h, i]: Matrix3): Matrix3 {
  return [
    e * i - f * h,
    f * g - d * i,
    d * h - e * g,
    c * h - b * i,
    a * i - c * g,
    b * g - a * h,
    b * f - c * e,
    c * d - a * f,
    a * e - b * d,
  ];
}

const DEGREES = 180 / Math.PI;

/**
 * Angles, in degrees, of a head whose axes are x to its left, y down, z to the back, seen by a camera with the same axes:
 * yaw > 0 turns left, pitch > 0 looks up, roll > 0 tilts towards the left shoulder (the person's own sides). Roll is applied
 * last, so that a rotated picture changes the roll alone.
 */
export function anglesOf([levelX, , , levelY, , , turned, down, depth]: Matrix3): Pose {
  return {
    yaw: Math.atan2(turned, Math.hypot(levelX, levelY)) * DEGREES,
    pitch: Math.atan2(-down, depth) * DEGREES,
    roll: Math.atan2(levelY, levelX) * DEGREES,
  };
}

/** Rotates each point about the origin. */
export function rotate(rotation: Matrix3, cloud: Cloud): Float32Array {
  const [a, b, c, d, e, f, g, h, k] = rotation;
  const rotated = new Float32Array(cloud.length);
  for (let i = 0; i < cloud.length; i += 3) {
    const [x, y, z] = [cloud[i]!, cloud[i + 1]!, cloud[i + 2]!];
    rotated[i] = a * x + b * y + c * z;
    rotated[i + 1] = d * x + e * y + f * z;
    rotated[i + 2] = g * x + h * y + k * z;
  }
  return rotated;
}
