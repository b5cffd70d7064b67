import { combineColumns, fitColumns, weightedMean } from '../imaging/least-squares.ts';
import { MEAN_FACE } from '../stages/mesh/mean-face.ts';
import type { AlignedFace, Point, Pose } from '../types.ts';
import { angleBetween } from './flatness.ts';
import { fitHomography } from './homography.ts';
import { type Plane, planesOf, type Tracked, track } from './patch-tracking.ts';

/** A face of one frame, analysed with `pose` and `aligned`. */
export interface FaceToCompare {
  readonly pose?: Pose;
  readonly aligned?: AlignedFace;
}

/** The perspective that a face gains between two frames. */
export interface PerspectiveChange {
  /** 1/d₂ − 1/d₁ of the distances d₁ and d₂ that a head would have had, in units of the mean face (4.9 cm); 0 of a plane. */
  readonly change: number;
  /** Standard error of `change`, of points that err by themselves. */
  readonly error: number;
}

/** What the frames before and after a face comes closer show. */
export interface CloserJudgement {
  /** `uncertain`: the measure is too inexact, or no two frames of like poses were found. */
  readonly verdict: 'head' | 'flat' | 'uncertain';
  /** Weighted mean over the pairs of frames, and its error: the larger of that of a pair and of what they differ by. */
  readonly change: number;
  readonly error: number;
  readonly pairs: number;
}

/** A point of the mean face, in its units. */
export interface FacePoint extends Point {
  /** Away from the camera. */
  readonly z: number;
}

/** A point of a face and where another frame shows it. */
export interface MovedPoint {
  readonly point: FacePoint;
  readonly to: Tracked;
}

/** Least distance of two points. */
const APART = 0.12;
/** Largest y of a point: below it the mouth moves. */
const LOWEST = 0.45;
/** Pixels of a patch to each side of its middle: 0.13 of the fine picture, 0.2 of the coarse one. */
const HALF = { fine: 8, coarse: 6 } as const;
/** Largest distance of a patch from where the coarse picture has it. */
const REACH = 0.08;
/** Fewest points that are found again. */
const MIN_POINTS = 40;
/** Rounds in which points that fit badly lose weight, and least residual that counts as bad. */
const ROUNDS = 4;
const LEAST_RESIDUAL = 1e-3;

/** Largest angle between two heads, degrees: the depth of a person is known by that of the mean face only. */
const MAX_ANGLE = 10;
/** Pairs that are compared at most. */
const MAX_PAIRS = 6;
/** Least change of a head, and what it exceeds by so many errors (one-sided, 95 %). */
const HEAD = { change: 0.03, certain: 0.015, errors: 1.64 } as const;
/** Error of a pair beyond that of its points: that of their depth. */
const PAIR_ERROR = 0.005;

/** The pairs of a far and a near frame that are compared, those of the most similar poses. */
export function pairsToCompare<F extends FaceToCompare>(far: readonly F[], near: readonly F[]): [F, F][] {
  const usable = ({ pose, aligned }: F) => pose !== undefined && aligned !== undefined;
  const pairs = far
    .filter(usable)
    .flatMap((a) => near.filter(usable).map((b) => ({ pair: [a, b] as [F, F], angle: angleBetween(a, b) })));
  const alike = pairs.filter(({ angle }) => angle <= MAX_ANGLE).sort((a, b) => a.angle - b.angle);
  return alike.slice(0, MAX_PAIRS).map(({ pair }) => pair);
}

/** @param measured of the pairs; undefined where too little was found again */
export function judgePerspective(measured: readonly (PerspectiveChange | undefined)[]): CloserJudgement {
  const found = measured.filter((one) => one !== undefined);
  const pairs = found.length;
  const nothing = { verdict: 'uncertain', change: 0, error: Number.POSITIVE_INFINITY, pairs } as const;
  if (2 * pairs <= measured.length) return nothing;
  const weights = found.map(({ error }) => 1 / (error ** 2 + PAIR_ERROR ** 2));
  const meanOf = (of: (one: PerspectiveChange) => number) => weightedMean(found.map(of), weights);
  const change = meanOf((one) => one.change);
  // Pairs share their frames: their mean counts as one of two.
  const apart = Math.sqrt(meanOf((one) => (one.change - change) ** 2) / 2);
  const error = Math.max(
    apart,
    meanOf((one) => one.error),
  );
  if (change < HEAD.change) return { verdict: 'flat', change, error, pairs };
  const certain = change - HEAD.errors * error >= HEAD.certain;
  return { verdict: certain ? 'head' : 'uncertain', change, error, pairs };
}

let chosen: readonly FacePoint[] | undefined;

/** Points of the mesh above the mouth, spread over the face. */
function facePoints(): readonly FacePoint[] {
  if (chosen) return chosen;
  const points: FacePoint[] = [];
  for (let i = 0; i < MEAN_FACE.length; i += 3) {
    const [x, y, z] = [MEAN_FACE[i]!, MEAN_FACE[i + 1]!, MEAN_FACE[i + 2]!];
    const near = points.some((other) => Math.hypot(other.x - x, other.y - y) < APART);
    if (y < LOWEST && !near) points.push({ x, y, z });
  }
  chosen = points;
  return points;
}

/**
 * Measures the perspective that a face gains as it comes closer. A pinhole camera at distance d shows a point at depth z
 * scaled by 1 / (d + z): from 45 to 22 cm the tip of a nose grows by a quarter more than the edge of the face. A plane that
 * comes closer only changes by a homography. The mesh does not tell them apart, as its network gives every face the
 * proportions of an arm's length; so patches of the skin are found again by their pixels.
 * @returns undefined when too few patches are found again
 */
export function perspectiveChange(far: AlignedFace, near: AlignedFace): PerspectiveChange | undefined {
  const [from, to] = [planesOf(far), planesOf(near)];
  const rough = found([from[1], to[1]], HALF.coarse, () => ({ x: 0, y: 0 }), Number.POSITIVE_INFINITY);
  if (rough.length < MIN_POINTS) return undefined;
  const moved = found([from[0], to[0]], HALF.fine, fitPerspective(rough).moveOf, REACH);
  return moved.length < MIN_POINTS ? undefined : fitPerspective(moved);
}

/** @param expected where a search starts @param reach largest distance from there */
function found(
  [from, to]: readonly [Plane, Plane],
  half: number,
  expected: (point: FacePoint) => Point,
  reach: number,
): MovedPoint[] {
  return facePoints().flatMap((point) => {
    const start = expected(point);
    const seen = track(from, to, point, half, start);
    if (!seen || Math.hypot(seen.by.x - start.x, seen.by.y - start.y) > reach) return [];
    return [{ point, to: seen }];
  });
}

/**
 * How a point of a face moves: by the perspective, by a homography of the first order, and as a head turns a little, in
 * proportion to its depth.
 */
const WAYS: readonly ((point: FacePoint) => readonly [x: number, y: number])[] = [
  ({ x, y, z }) => [-z * x, -z * y],
  () => [1, 0],
  () => [0, 1],
  ({ x }) => [x, 0],
  ({ y }) => [y, 0],
  ({ x }) => [0, x],
  ({ y }) => [0, y],
  ({ x, y }) => [x * x, x * y],
  ({ x, y }) => [x * y, y * y],
  ({ z }) => [z, 0],
  ({ z }) => [0, z],
];

/**
 * Fits the ways to move to what moved: a homography to the points that fit, which a tilted picture needs beyond the first
 * order, then the ways to what it leaves. Points lose weight with their residual, and directions without texture have none.
 */
export function fitPerspective(moved: readonly MovedPoint[]) {
  const directions = moved.flatMap(directionsOf);
  const middle = quantile(
    directions.map(({ texture }) => texture),
    0.5,
  );
  const trust = Float64Array.from(directions, ({ texture }) => texture / (texture + middle + 1e-9));
  const columns = WAYS.map((way) =>
    Float64Array.from(directions, ({ moved: { point }, x, y }) => {
      const [u, v] = way(point);
      return u * x + v * y;
    }),
  );
  const along = (of: (moved: MovedPoint) => Point) =>
    Float64Array.from(directions, ({ moved, x, y }) => of(moved).x * x + of(moved).y * y);
  const first = fitRobustly(
    columns,
    along(({ to }) => to.by),
    trust,
  );
  const inliers = moved.filter((_, i) => first.residuals[i]! < 2.5 * first.scale);
  const plane = fitHomography(
    inliers.map(({ point }) => point),
    inliers.map(({ point, to }) => ({ x: point.x + to.by.x, y: point.y + to.by.y })),
  );
  const shift = (point: Point): Point => ({ x: plane(point).x - point.x, y: plane(point).y - point.y });
  const rest = ({ point, to }: MovedPoint) => ({ x: to.by.x - shift(point).x, y: to.by.y - shift(point).y });
  const { coefficients, error } = fitRobustly(columns, along(rest), trust);
  const moveOf = (point: FacePoint) =>
    WAYS.reduce((sum, way, i) => {
      const [u, v] = way(point);
      return { x: sum.x + coefficients[i]! * u, y: sum.y + coefficients[i]! * v };
    }, shift(point));
  return { change: coefficients[0]!, error, moveOf };
}

/** The directions in which a patch has the most and the least texture (axes of its structure tensor). */
function directionsOf(moved: MovedPoint) {
  const { xx, xy, yy } = moved.to;
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const apart = Math.hypot((xx - yy) / 2, xy);
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  return [
    { moved, x, y, texture: (xx + yy) / 2 + apart },
    { moved, x: -y, y: x, texture: Math.max(0, (xx + yy) / 2 - apart) },
  ];
}

/** @param values two for each point @param trust their weights before the first round */
function fitRobustly(columns: readonly Float64Array[], values: Float64Array, trust: Float64Array) {
  let weights = trust;
  let coefficients = fitColumns(columns, values, weights);
  let residuals: number[] = [];
  let scale = LEAST_RESIDUAL;
  for (let round = 1; round < ROUNDS; round++) {
    const off = combineColumns(columns, coefficients).map((value, i) => values[i]! - value);
    residuals = Array.from({ length: values.length / 2 }, (_, i) =>
      Math.hypot(Math.sqrt(trust[2 * i]!) * off[2 * i]!, Math.sqrt(trust[2 * i + 1]!) * off[2 * i + 1]!),
    );
    scale = Math.max(LEAST_RESIDUAL, 1.5 * quantile(residuals, 0.5));
    weights = trust.map((weight, i) => weight / (1 + (residuals[i >> 1]! / scale) ** 2));
    coefficients = fitColumns(columns, values, weights);
  }
  return { coefficients, residuals, scale, error: errorOfFirst(columns, values, weights, coefficients) };
}

/** Standard error of the first coefficient of a weighted fit. */
function errorOfFirst(
  columns: readonly Float64Array[],
  values: Float64Array,
  weights: Float64Array,
  coefficients: Float64Array,
): number {
  const fitted = combineColumns(columns, coefficients);
  let [square, total] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    square += weight * (values[i]! - fitted[i]!) ** 2;
    total += weight;
  }
  // What the other columns leave of the first one determines it.
  const others = columns.slice(1);
  const shared = combineColumns(others, fitColumns(others, columns[0]!, weights));
  const own = weights.reduce((sum, weight, i) => sum + weight * (columns[0]![i]! - shared[i]!) ** 2, 0);
  return Math.sqrt(square / own / Math.max(1, total - columns.length));
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
