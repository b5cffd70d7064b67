import type { Point } from '../../types.ts';

/** Corners of the convex hull, in order around it (monotone chain: A. M. Andrew, 1979). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((p, q) => p.x - q.x || p.y - q.y);
  return [...halfHull(sorted), ...halfHull(sorted.toReversed())];
}

/** One side of the hull, without its last corner. */
function halfHull(sorted: readonly Point[]): Point[] {
  const corners: Point[] = [];
  for (const point of sorted) {
    while (corners.length > 1 && turn(corners.at(-2)!, corners.at(-1)!, point) <= 0) corners.pop();
    corners.push(point);
  }
  return corners.slice(0, -1);
}

function turn(o: Point, p: Point, q: Point): number {
  return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
}

/** Mask of the pixels whose centre is inside of a convex polygon: 1 inside, 0 outside, row-major. */
export function fillConvex(corners: readonly Point[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const [left, right] = crossings(corners, y + 0.5);
    const first = Math.max(0, Math.ceil(left - 0.5));
    const end = Math.min(width, Math.floor(right - 0.5) + 1);
    if (end > first) mask.fill(1, y * width + first, y * width + end);
  }
  return mask;
}

/** Least and largest x where a horizontal line crosses the edges. */
function crossings(corners: readonly Point[], y: number): [number, number] {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % corners.length]!;
    if (p.y <= y === q.y <= y) return;
    const x = p.x + ((y - p.y) / (q.y - p.y)) * (q.x - p.x);
    left = Math.min(left, x);
    right = Math.max(right, x);
  });
  return [left, right];
}
