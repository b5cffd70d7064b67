import { solveLinear } from '../imaging/least-squares.ts';
import type { Point } from '../types.ts';

/** x' = (h0·x + h1·y + h2) / w, y' = (h3·x + h4·y + h5) / w, w = h6·x + h7·y + 1. */
export type Homography = readonly [number, number, number, number, number, number, number, number];

/**
 * Least-squares homography from `from` to `to`, which is how the points of a flat object move in a picture: normalised
 * direct linear transform (Hartley, "In Defense of the Eight-Point Algorithm", 1997) with the last coefficient 1. Both
 * sides are shifted to their centroid and scaled to a mean square of 2, which keeps the equations well conditioned.
 * @param from four or more points, not all on a line; `to` has as many, in the same order
 * @throws RangeError when no homography is determined
 */
export function fitHomography(from: readonly Point[], to: readonly Point[]): (p: Point) => Point {
  const source = normalisation(from);
  const target = normalisation(to);
  const normal = Array.from({ length: 8 }, () => new Float64Array(9));
  for (const [i, p] of from.entries()) {
    const { x, y } = source.into(p);
    const { x: u, y: v } = target.into(to[i]!);
    addRow(normal, [x, y, 1, 0, 0, 0, -u * x, -u * y, u]);
    addRow(normal, [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  }
  const matrix = normal.map((row) => row.subarray(0, 8));
  const right = Float64Array.from(normal, (row) => row[8]!);
  const h = solveLinear(matrix, right) as unknown as Homography | undefined;
  if (!h) throw new RangeError('These points determine no homography.');
  return (p) => target.out(project(h, source.into(p)));
}

export function project(h: Homography, { x, y }: Point): Point {
  const w = h[6] * x + h[7] * y + 1;
  return { x: (h[0] * x + h[1] * y + h[2]) / w, y: (h[3] * x + h[4] * y + h[5]) / w };
}

function normalisation(points: readonly Point[]) {
  let [cx, cy, square] = [0, 0, 0];
  for (const { x, y } of points) {
    cx += x / points.length;
    cy += y / points.length;
  }
  for (const { x, y } of points) square += ((x - cx) ** 2 + (y - cy) ** 2) / points.length;
  const unit = Math.sqrt(square / 2);
  if (!(unit > 0)) throw new RangeError('A homography needs points that differ.');
  return {
    into: ({ x, y }: Point) => ({ x: (x - cx) / unit, y: (y - cy) / unit }),
    out: ({ x, y }: Point) => ({ x: x * unit + cx, y: y * unit + cy }),
  };
}

/** Adds one equation (eight coefficients and the right side) to the normal equations. */
function addRow(normal: Float64Array[], row: readonly number[]): void {
  for (let i = 0; i < 8; i++) {
    if (row[i] === 0) continue;
    for (let j = 0; j < 9; j++) normal[i]![j]! += row[i]! * row[j]!;
  }
}
