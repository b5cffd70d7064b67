import { apply, centroid, distance, invert, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Point } from '../../types.ts';
import { distance3d, eyeLineAngle, type Mesh, pointOf } from '../mesh/mesh.ts';

/** Side of the crop, pixels: finer detail is lost in small faces and under strong compression. */
const SIZE = 32;
/** Side of the crop over the height of the face. */
const SIDE = 0.6;
const [FOREHEAD, CHIN] = [10, 152] as const;
/** Mesh points of the outer edges of the lips, from left to right in the picture. */
const UPPER = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291] as const;
const LOWER = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291] as const;
/** Places along the edges, as point numbers, between which columns are sampled; nearer to the corners is skin. */
const [FIRST, LAST] = [2.5, 7.5] as const;
const COLUMNS = 10;
const ROWS = 16;
/** Added to brightness (0…255): keeps noise in dark areas from counting as contrast. */
const BLACK = 8;
/** Keeps the logarithm finite where there is no contrast. */
const LEAST = 0.02;

/**
 * Variation of brightness from the upper edge of the upper lip to the lower edge of the lower lip: closed lips have one
 * line between them, parted ones show the dark of the mouth, teeth and tongue. Natural logarithm of the total variation of
 * log brightness in the column where it is largest: about −1 to 1.5. Independent of the light's intensity and of colour.
 */
export function lipContrast(from: Sampler, mesh: Mesh): number {
  const toPicture = aroundMouth(mesh);
  const luminance = from.luminance(toPicture, SIZE, SIZE, 'edge');
  const brightness = luminance.map((value) => Math.log(value + BLACK));
  const toCrop = invert(toPicture);
  const edge = (points: readonly number[]) => points.map((index) => apply(toCrop, pointOf(mesh, index)));
  const [upper, lower] = [edge(UPPER), edge(LOWER)];
  let most = 0;
  for (let column = 0; column < COLUMNS; column++) {
    const place = FIRST + ((LAST - FIRST) * column) / (COLUMNS - 1);
    most = Math.max(most, variation(brightness, along(upper, place), along(lower, place)));
  }
  return Math.log(most + LEAST);
}

function aroundMouth(mesh: Mesh) {
  const ends = [UPPER[0], UPPER[10], UPPER[5], LOWER[5]].map((index) => pointOf(mesh, index));
  return squareCrop(centroid(ends), distance3d(mesh, FOREHEAD, CHIN) * SIDE, eyeLineAngle(mesh), SIZE);
}

/** Point on a polyline. @param place index of a vertex, or a fraction between two */
function along(line: readonly Point[], place: number): Point {
  const index = Math.floor(place);
  return between(line[index]!, line[index + 1]!, place - index);
}

function between(p: Point, q: Point, share: number): Point {
  return { x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share };
}

/** Total variation along the segment between two points. */
function variation(values: Float32Array, from: Point, to: Point): number {
  if (distance(from, to) === 0) return 0;
  const walk = Array.from({ length: ROWS }, (_, row) => valueAt(values, between(from, to, row / (ROWS - 1))));
  return walk.slice(1).reduce((sum, value, row) => sum + Math.abs(value - walk[row]!), 0);
}

/** Bilinear; pixel i covers i…i+1, the edge is repeated outside. */
function valueAt(values: Float32Array, point: Point): number {
  const inside = (place: number) => Math.max(0, Math.min(SIZE - 1, place - 0.5));
  const [x, y] = [inside(point.x), inside(point.y)];
  const [left, top] = [Math.min(SIZE - 2, Math.floor(x)), Math.min(SIZE - 2, Math.floor(y))];
  const at = top * SIZE + left;
  const row = (start: number) => values[start]! + (values[start + 1]! - values[start]!) * (x - left);
  return row(at) + (row(at + SIZE) - row(at)) * (y - top);
}
