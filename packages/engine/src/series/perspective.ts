import { apply, fitSimilarity, scaleOf } from '../imaging/geometry.ts';
import { combineColumns, fitColumns } from '../imaging/least-squares.ts';
import { MEAN_FACE } from '../stages/mesh/mean-face.ts';
import type { Point } from '../types.ts';
import { fitHomography } from './homography.ts';

/** Grey values of a picture, row by row, 0…255. */
export interface GreyPicture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A frontal face in a grey picture. */
export interface GreyFace {
  readonly picture: GreyPicture;
  /** x, y, z of 468 points, in pixels of `picture`; z is not used. */
  readonly mesh: Float32Array;
}

/** How a face changed between two distances. */
export interface PerspectiveChange {
  /** Its size in the second picture over that in the first. */
  readonly growth: number;
  /** 1/d₂ − 1/d₁ of the distances d₁ and d₂ that a head would have had, d in units of the mean face (4.9 cm); 0 of a plane. */
  readonly change: number;
}

/** Points above the mouth, which hardly move with the expression, by their numbers: every second one. */
const TRACKED = MEAN_FACE.flatMap((_, i) => (i % 3 === 1 && MEAN_FACE[i]! < 0.4 ? (i - 1) / 3 : [])).filter(
  (_, i) => i % 2 === 0,
);
/** Half the side of a patch, in units of the mean face, and its samples on each side of the middle one. */
const PATCH = { half: 0.2, samples: 9 } as const;
/** Displacements that are tried, in units of the mean face: so many steps to each side. */
const SEARCH = { step: 0.02, reach: 7 } as const;
/** Least standard deviation of a patch, grey values, and least correlation of a patch that is found again. */
const LEAST = { contrast: 6, correlation: 0.85 } as const;
/** Fewest points that decide. */
const MIN_POINTS = 40;
/** Height in the mean face of the point that the camera looks at: between eyes and nose. */
const MIDDLE = -0.2;
/** Rounds in which points that fit badly lose weight. */
const ROUNDS = 6;

/**
 * Measures the perspective that a face gains as it comes closer. A pinhole camera at distance d shows a point at depth z
 * scaled by 1 / (d + z): from 45 to 22 cm the tip of a nose grows by a quarter more than the edge of the face. A plane that
 * comes closer only changes by a homography. The mesh does not tell them apart, as its network gives every face the
 * proportions of an arm's length; so patches of the skin are found again by their pixels, around where the homography of
 * the meshes has them. What is left of their displacements is fitted by a homography of the first order, a small turn of a
 * head (in proportion to z) and the field −z·(x, y), z of the mean face, whose coefficient is the result.
 * @param near as smooth as `far` relative to the size of its face
 * @returns undefined when too few patches are found again
 */
export function perspectiveChange(far: GreyFace, near: GreyFace): PerspectiveChange | undefined {
  const points = TRACKED.map((point) => ({ point, from: pointOf(far.mesh, point) }));
  const mean = TRACKED.map((point) => pointOf(MEAN_FACE, point));
  const [first, second] = [far, near].map(({ mesh }) =>
    fitSimilarity(
      mean,
      TRACKED.map((point) => pointOf(mesh, point)),
    ),
  ) as [ReturnType<typeof fitSimilarity>, ReturnType<typeof fitSimilarity>];
  const unit = scaleOf(first);
  const across = fitHomography(
    points.map(({ from }) => from),
    TRACKED.map((point) => pointOf(near.mesh, point)),
  );
  const moved = points.flatMap(({ point, from }) => {
    const by = displacementOf(far.picture, near.picture, from, unit, across);
    return by ? [{ point, by }] : [];
  });
  if (moved.length < MIN_POINTS) return undefined;
  const middle = apply(first, { x: 0, y: MIDDLE });
  const angle = Math.atan2(first.c, first.a);
  const places = moved.map(({ point, by }) => ({
    place: turnedBack(pointOf(far.mesh, point), middle, angle, unit),
    by: turnedBack(by, { x: 0, y: 0 }, angle, 1),
    depth: MEAN_FACE[3 * point + 2]!,
  }));
  return { growth: scaleOf(second) / unit, change: fitField(places) };
}

function pointOf(mesh: ArrayLike<number>, point: number): Point {
  return { x: mesh[3 * point]!, y: mesh[3 * point + 1]! };
}

/** A place in the level frame of a face, in units of the mean face. */
function turnedBack({ x, y }: Point, origin: Point, angle: number, unit: number): Point {
  const [u, v] = [(x - origin.x) / unit, (y - origin.y) / unit];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: cos * u + sin * v, y: cos * v - sin * u };
}

interface Displaced {
  readonly place: Point;
  readonly by: Point;
  readonly depth: number;
}

/** Coefficient of −z·(x, y), by least squares with weights that fall with the residual. */
function fitField(moved: readonly Displaced[]): number {
  const columns = fieldsOf(moved);
  const values = [...moved.map(({ by }) => by.x), ...moved.map(({ by }) => by.y)];
  let weights = new Float64Array(values.length).fill(1);
  let coefficients = fitColumns(columns, values, weights);
  for (let round = 1; round < ROUNDS; round++) {
    const fitted = combineColumns(columns, coefficients);
    const count = moved.length;
    const away = moved.map((_, i) =>
      Math.hypot(values[i]! - fitted[i]!, values[count + i]! - fitted[count + i]!),
    );
    const scale = Math.max(1e-3, 1.5 * [...away].sort((a, b) => a - b)[count >> 1]!);
    weights = Float64Array.from(values, (_, i) => 1 / (1 + (away[i % count]! / scale) ** 2));
    coefficients = fitColumns(columns, values, weights);
  }
  return coefficients[0]!;
}

/** Displacements, all along x and then all along y, of each way to move. */
function fieldsOf(moved: readonly Displaced[]): number[][] {
  const field = (way: (x: number, y: number, z: number) => readonly [number, number]) => {
    const all = moved.map(({ place, depth }) => way(place.x, place.y, depth));
    return [...all.map(([x]) => x), ...all.map(([, y]) => y)];
  };
  return [
    field((x, y, z) => [-z * x, -z * y]),
    field(() => [1, 0]),
    field(() => [0, 1]),
    field((x) => [x, 0]),
    field((_, y) => [y, 0]),
    field((x) => [0, x]),
    field((_, y) => [0, y]),
    field((x, y) => [x * x, x * y]),
    field((x, y) => [x * y, y * y]),
    field((_x, _y, z) => [z, 0]),
    field((_x, _y, z) => [0, z]),
  ];
}

/**
 * Where the patch around a point is found again, as a displacement in units of the mean face along the axes of `far`.
 * @param across maps pixels of `far` to where `near` is expected to show them
 * @returns undefined for a patch without contrast, and one that is not found again within reach
 */
function displacementOf(
  far: GreyPicture,
  near: GreyPicture,
  at: Point,
  unit: number,
  across: (point: Point) => Point,
): Point | undefined {
  const spots = patchSpots(at, unit);
  const patch = centred(spots.map(({ x, y }) => greyAt(far, x, y)));
  if (!(Math.sqrt(patch.square / spots.length) > LEAST.contrast)) return undefined;
  const { step, reach } = SEARCH;
  const scores = Array.from({ length: 2 * reach + 1 }, (_, row) =>
    Array.from({ length: 2 * reach + 1 }, (_, column) => {
      const [dx, dy] = [(column - reach) * step * unit, (row - reach) * step * unit];
      const seen = spots.map(({ x, y }) => {
        const place = across({ x: x + dx, y: y + dy });
        return greyAt(near, place.x, place.y);
      });
      return correlation(patch, centred(seen));
    }),
  );
  const most = Math.max(...scores.flat());
  const row = scores.findIndex((line) => line.includes(most));
  const column = scores[row]?.indexOf(most) ?? -1;
  const atEdge = [row, column].some((index) => index <= 0 || index >= 2 * reach);
  if (most < LEAST.correlation || atEdge) return undefined;
  const [above, here, below] = [scores[row - 1]!, scores[row]!, scores[row + 1]!];
  const dx = column - reach + summit(here[column - 1]!, most, here[column + 1]!);
  const dy = row - reach + summit(above[column]!, most, below[column]!);
  return { x: dx * step, y: dy * step };
}

function patchSpots({ x, y }: Point, unit: number): Point[] {
  const { half, samples } = PATCH;
  const offsets = Array.from({ length: 2 * samples + 1 }, (_, i) => ((i - samples) / samples) * half * unit);
  return offsets.flatMap((dy) => offsets.map((dx) => ({ x: x + dx, y: y + dy })));
}

/** Bilinear; not a number outside. */
function greyAt({ data, width, height }: GreyPicture, x: number, y: number): number {
  if (!(x >= 0 && y >= 0 && x < width - 1 && y < height - 1)) return Number.NaN;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top];
  const from = top * width + left;
  const upper = data[from]! * (1 - fx) + data[from + 1]! * fx;
  const lower = data[from + width]! * (1 - fx) + data[from + width + 1]! * fx;
  return upper * (1 - fy) + lower * fy;
}

function centred(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const off = values.map((value) => value - mean);
  return { off, square: off.reduce((sum, value) => sum + value * value, 0) };
}

/** −1…1; −1 where a patch leaves the picture. */
function correlation(a: ReturnType<typeof centred>, b: ReturnType<typeof centred>): number {
  const product = a.off.reduce((sum, value, i) => sum + value * b.off[i]!, 0);
  const found = product / Math.sqrt(a.square * Math.max(1e-9, b.square));
  return Number.isNaN(found) ? -1 : found;
}

/** Place of the summit of the parabola through three values, from the middle one. */
function summit(before: number, at: number, after: number): number {
  const bend = before - 2 * at + after;
  return bend < 0 ? (0.5 * (before - after)) / bend : 0;
}
