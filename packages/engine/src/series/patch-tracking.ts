import { gaussianBlur } from '../imaging/gaussian-blur.ts';
import { ALIGNED } from '../stages/mesh/aligned-face.ts';
import type { AlignedFace, Point } from '../types.ts';

/** A square of brightness, row-major. */
export interface Plane {
  readonly side: number;
  readonly values: Float32Array;
}

/** A patch of one picture and where another one shows it. */
export interface Tracked {
  /** Displacement along x and y, in units of the mean face. */
  readonly by: Point;
  /** Mean products of the gradients along x, across and along y: how well each direction is determined. */
  readonly xx: number;
  readonly xy: number;
  readonly yy: number;
}

/** Largest step of a round, and the step that ends the search, pixels. */
const STEP = { most: 1.5, least: 0.03 } as const;
const ROUNDS = 6;
/** Least correlation of a patch that is found again. */
const LEAST_CORRELATION = 0.75;
/** Share of the products of the gradients that is added, for patches of one direction. */
const RIDGE = 1e-3;

/** Standard deviation of the filter against noise and its reach, pixels. */
const SMOOTHING = { sigma: 0.7, reach: 2 } as const;
/** Pixels of the largest patch, with one more to each side. Filled anew by each search, which would take half as long again with arrays of its own. */
const LARGEST = 19 ** 2;
const scratch = Array.from({ length: 5 }, () => new Float32Array(LARGEST));

const planes = new WeakMap<AlignedFace, readonly [fine: Plane, coarse: Plane]>();

/** An aligned face without its noise, and of half the size. Computed once for a face. */
export function planesOf(face: AlignedFace): readonly [fine: Plane, coarse: Plane] {
  const known = planes.get(face);
  if (known) return known;
  const fine = smoothed({ side: ALIGNED.side, values: Float32Array.from(face.luma) });
  const both = [fine, smoothed(halved(fine))] as const;
  planes.set(face, both);
  return both;
}

function smoothed({ side, values }: Plane): Plane {
  return { side, values: gaussianBlur(values, side, SMOOTHING.sigma, SMOOTHING.reach) };
}

function halved({ side, values }: Plane): Plane {
  const half = side >> 1;
  const means = new Float32Array(half * half);
  for (let y = 0, to = 0; y < half; y++) {
    for (let x = 0; x < half; x++, to++) {
      const at = 2 * y * side + 2 * x;
      means[to] = (values[at]! + values[at + 1]! + values[at + side]! + values[at + side + 1]!) / 4;
    }
  }
  return { side: half, values: means };
}

/** A patch without its mean, and its gradients. */
interface Patch extends Omit<Tracked, 'by'> {
  readonly values: Float32Array;
  readonly gradientX: Float32Array;
  readonly gradientY: Float32Array;
  /** Sum of the squares of `values`. */
  readonly spread: number;
}

/**
 * Finds a patch of one plane again in another one, whatever the brightness and contrast there (inverse compositional
 * Lucas–Kanade; Baker and Matthews, "Lucas-Kanade 20 Years On", 2004).
 * @param at middle of the patch, in units of the mean face
 * @param half pixels to each side of its middle
 * @param start displacement at which the search starts, in those units
 * @returns undefined where it is not found or leaves the picture
 */
export function track(from: Plane, to: Plane, at: Point, half: number, start: Point): Tracked | undefined {
  const unit = (ALIGNED.unit * from.side) / ALIGNED.side;
  const corner = (coordinate: number) => coordinate * unit + (from.side - 1) / 2 - half;
  const [left, top] = [corner(at.x), corner(at.y)];
  const patch = patchAt(from, left, top, 2 * half + 1);
  if (!patch) return undefined;
  const seen = scratch[4]!.subarray(0, patch.values.length);
  let [dx, dy] = [start.x * unit, start.y * unit];
  let correlation = -1;
  for (let round = 0; round < ROUNDS; round++) {
    if (!cutOut(to, left + dx, top + dy, 2 * half + 1, seen)) return undefined;
    const found = stepOf(patch, seen);
    correlation = found.correlation;
    const length = Math.hypot(found.x, found.y);
    const share = Math.min(1, STEP.most / length);
    dx -= found.x * share;
    dy -= found.y * share;
    if (length < STEP.least) break;
  }
  if (!(correlation > LEAST_CORRELATION)) return undefined;
  const { xx, xy, yy } = patch;
  return { by: { x: dx / unit, y: dy / unit }, xx, xy, yy };
}

function patchAt(from: Plane, left: number, top: number, size: number): Patch | undefined {
  const wide = size + 2;
  const around = scratch[3]!;
  if (!cutOut(from, left - 1, top - 1, wide, around)) return undefined;
  const count = size * size;
  const [values, gradientX, gradientY] = [0, 1, 2].map((i) => scratch[i]!.subarray(0, count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  let [sum, xx, xy, yy] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const at = (Math.floor(i / size) + 1) * wide + (i % size) + 1;
    const x = (around[at + 1]! - around[at - 1]!) / 2;
    const y = (around[at + wide]! - around[at - wide]!) / 2;
    values[i] = around[at]!;
    gradientX[i] = x;
    gradientY[i] = y;
    sum += around[at]!;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  let spread = 0;
  for (let i = 0; i < count; i++) {
    values[i]! -= sum / count;
    spread += values[i]! ** 2;
  }
  return { values, gradientX, gradientY, spread, xx: xx / count, xy: xy / count, yy: yy / count };
}

/** The move of `seen` on which it differs the least from a patch, pixels, and how alike they are before it. */
function stepOf({ values, gradientX, gradientY, spread, xx, xy, yy }: Patch, seen: Float32Array) {
  const count = values.length;
  let [sum, square, shared, x, y, sumX, sumY, ownX, ownY] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [value, own, u, v] = [seen[i]!, values[i]!, gradientX[i]!, gradientY[i]!];
    sum += value;
    square += value * value;
    shared += value * own;
    x += value * u;
    y += value * v;
    sumX += u;
    sumY += v;
    ownX += own * u;
    ownY += own * v;
  }
  const mean = sum / count;
  const other = Math.max(1e-6, square - sum * mean);
  const gain = Math.sqrt(spread / other);
  const [right, down] = [gain * (x - mean * sumX) - ownX, gain * (y - mean * sumY) - ownY];
  const ridge = RIDGE * (xx + yy) + 1e-6;
  const determinant = count * ((xx + ridge) * (yy + ridge) - xy * xy);
  return {
    x: ((yy + ridge) * right - xy * down) / determinant,
    y: ((xx + ridge) * down - xy * right) / determinant,
    correlation: shared / Math.sqrt(Math.max(1e-6, other * spread)),
  };
}

/** Bilinear. @returns whether the square lies within the plane */
function cutOut(
  { side, values }: Plane,
  left: number,
  top: number,
  size: number,
  into: Float32Array,
): boolean {
  if (!(left >= 0 && top >= 0 && left + size < side && top + size < side)) return false;
  const [column, row] = [Math.floor(left), Math.floor(top)];
  const [x, y] = [left - column, top - row];
  const [a, b, c, d] = [(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y];
  for (let v = 0, i = 0; v < size; v++) {
    let at = (row + v) * side + column;
    for (let u = 0; u < size; u++, i++, at++) {
      into[i] = a * values[at]! + b * values[at + 1]! + c * values[at + side]! + d * values[at + side + 1]!;
    }
  }
  return true;
}
