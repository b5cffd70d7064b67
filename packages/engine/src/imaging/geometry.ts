import type { Box, Point } from '../types.ts';

/** Affine transform x' = a·x + b·y + tx, y' = c·x + d·y + ty. */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly c: number;
  readonly d: number;
  readonly ty: number;
}

export function apply(m: Affine, p: Point): Point {
  return { x: m.a * p.x + m.b * p.y + m.tx, y: m.c * p.x + m.d * p.y + m.ty };
}

/** The transform that applies `inner`, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  return {
    a: outer.a * inner.a + outer.b * inner.c,
    b: outer.a * inner.b + outer.b * inner.d,
    tx: outer.a * inner.tx + outer.b * inner.ty + outer.tx,
    c: outer.c * inner.a + outer.d * inner.c,
    d: outer.c * inner.b + outer.d * inner.d,
    ty: outer.c * inner.tx + outer.d * inner.ty + outer.ty,
  };
}

/** @throws RangeError when the matrix has no inverse. */
export function invert(m: Affine): Affine {
  const det = m.a * m.d - m.b * m.c;
  if (!Number.isFinite(1 / det)) throw new RangeError('The transform has no inverse.');
  const a = m.d / det;
  const b = -m.b / det;
  const c = -m.c / det;
  const d = m.a / det;
  return { a, b, tx: -(a * m.tx + b * m.ty), c, d, ty: -(c * m.tx + d * m.ty) };
}

/** Scale factor of a similarity transform. */
export function scaleOf(m: Affine): number {
  return Math.hypot(m.a, m.c);
}

/**
 * Maps pixels of a square crop (`size` × `size`) to the picture: the crop is centred on `centre`, `side` picture
 * pixels wide, and its x axis points along `angle` (radians, clockwise on screen).
 */
export function squareCrop(centre: Point, side: number, angle: number, size: number): Affine {
  const a = (Math.cos(angle) * side) / size;
  const c = (Math.sin(angle) * side) / size;
  const half = size / 2;
  return { a, b: -c, tx: centre.x - a * half + c * half, c, d: a, ty: centre.y - c * half - a * half };
}

/** The same crop mirrored: its x axis is reversed. */
export function mirrored(m: Affine, size: number): Affine {
  return compose(m, { a: -1, b: 0, tx: size, c: 0, d: 1, ty: 0 });
}

/**
 * Least-squares similarity (rotation, scale, translation; no reflection) from `from` to `to`.
 * @param from two or more points, not all the same
 * @throws RangeError when the points are all the same
 */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Affine {
  const mf = centroid(from);
  const mt = centroid(to);
  let dot = 0;
  let cross = 0;
  let spread = 0;
  for (const [i, p] of from.entries()) {
    const q = to[i]!;
    const px = p.x - mf.x;
    const py = p.y - mf.y;
    dot += px * (q.x - mt.x) + py * (q.y - mt.y);
    cross += px * (q.y - mt.y) - py * (q.x - mt.x);
    spread += px * px + py * py;
  }
  if (!(spread > 0)) throw new RangeError('A similarity needs at least two different points.');
  const a = dot / spread;
  const c = cross / spread;
  return { a, b: -c, tx: mt.x - a * mf.x + c * mf.y, c, d: a, ty: mt.y - c * mf.x - a * mf.y };
}

export function centroid(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const p of points) {
    x += p.x;
    y += p.y;
  }
  return { x: x / points.length, y: y / points.length };
}

export function distance(p: Point, q: Point): number {
  return Math.hypot(p.x - q.x, p.y - q.y);
}

export function middle(p: Point, q: Point): Point {
  return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
}

export function centreOf(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Intersection over union of two boxes, 0…1. */
export function overlap(p: Box, q: Box): number {
  const shared = intersection(p, q);
  const union = p.width * p.height + q.width * q.height - shared;
  return union > 0 ? shared / union : 0;
}

/** Area that two boxes share, in square pixels. */
export function intersection(p: Box, q: Box): number {
  const width = Math.min(p.x + p.width, q.x + q.width) - Math.max(p.x, q.x);
  const height = Math.min(p.y + p.height, q.y + q.height) - Math.max(p.y, q.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Smallest box around the points. */
export function around(points: readonly Point[]): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const p of points) {
    left = Math.min(left, p.x);
    right = Math.max(right, p.x);
    top = Math.min(top, p.y);
    bottom = Math.max(bottom, p.y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
