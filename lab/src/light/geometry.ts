import { Matrix, solve } from 'ml-matrix';
import type { Grid } from './grid.ts';
import { gridOf } from './grid.ts';

type Vector = readonly [number, number, number];

/** What is where in a frame; lengths in half widths of the face (7 cm), x to the right, y down, z away from the camera. */
export interface Geometry {
  /** Positions, by sample of a grid. */
  readonly places: readonly Vector[];
  /** Outward normals where there is a head, by sample. */
  readonly normals: readonly (Vector | undefined)[];
  /** Points of the mesh, pixels. */
  readonly face: readonly { readonly x: number; readonly y: number }[];
  /** Whether a sample belongs to the mesh. */
  readonly isFace: readonly boolean[];
}

export interface Room {
  /** Depth of the head over that of the mesh. */
  readonly relief: number;
  /** Distance of the room behind the face. */
  readonly behind: number;
}

/** Centre and radii of the skull around a face. */
const SKULL = { y: -0.35, z: 1.3, wide: 1.6, high: 2.05, deep: 1.6 } as const;
const NEIGHBOURS = 10;

/**
 * The head of a frame: the relief of its mesh, a skull around it, shoulders below and a room behind.
 * @param mesh x, y, z of 468 points, pixels
 */
export function geometryOf(width: number, height: number, mesh: readonly number[], room: Room): Geometry {
  const unit = Math.hypot(mesh[454 * 3]! - mesh[234 * 3]!, mesh[454 * 3 + 1]! - mesh[234 * 3 + 1]!) / 2;
  const points = Array.from(
    { length: 468 },
    (_, i): Vector => [mesh[3 * i]!, mesh[3 * i + 1]!, mesh[3 * i + 2]!],
  );
  const centre: Vector = [(points[234]![0] + points[454]![0]) / 2, (points[10]![1] + points[152]![1]) / 2, 0];
  const front = Math.min(...points.map(([, , z]) => z));
  const relief = points.map(
    ([x, y, z]): Vector => [
      (x - centre[0]) / unit,
      (y - centre[1]) / unit,
      ((z - front) / unit) * room.relief,
    ],
  );
  const normals = relief.map((point) => normalAt(point, relief));
  const places: Vector[] = [];
  const found: (Vector | undefined)[] = [];
  const isFace: boolean[] = [];
  gridOf(width, height, (px, py) => {
    const [x, y] = [(px - centre[0]) / unit, (py - centre[1]) / unit];
    const near = Math.hypot(x, y) < 1.8 ? nearest(relief, x, y) : [];
    const onFace = near.length > 0 && near[0]!.away < 0.12;
    isFace.push(onFace);
    const { place, normal } = onFace ? onRelief(near, relief, normals, x, y) : aroundFace(x, y, room);
    places.push(place);
    found.push(normal);
    return 0;
  });
  return { places, normals: found, face: points.map(([x, y]) => ({ x, y })), isFace };
}

/** The four points of the mesh that are nearest in the picture. */
function nearest(relief: readonly Vector[], x: number, y: number) {
  const best: { i: number; away: number }[] = [];
  for (let i = 0; i < relief.length; i++) {
    const [dx, dy] = [relief[i]![0] - x, relief[i]![1] - y];
    // Most points are far away: a cheap test first.
    if (dx > 0.4 || dx < -0.4 || dy > 0.4 || dy < -0.4) continue;
    const away = Math.hypot(dx, dy);
    if (best.length === 4 && away >= best[3]!.away) continue;
    best.push({ i, away });
    best.sort((one, other) => one.away - other.away);
    best.length = Math.min(best.length, 4);
  }
  return best;
}

function onRelief(
  near: readonly { readonly i: number; readonly away: number }[],
  relief: readonly Vector[],
  normals: readonly Vector[],
  x: number,
  y: number,
) {
  const sum = [0, 0, 0, 0];
  let weights = 0;
  for (const { i, away } of near) {
    const weight = 1 / (away + 0.01);
    weights += weight;
    sum[0]! += weight * relief[i]![2];
    for (let axis = 0; axis < 3; axis++) sum[axis + 1]! += weight * normals[i]![axis]!;
  }
  const length = Math.hypot(sum[1]!, sum[2]!, sum[3]!);
  const normal: Vector = [sum[1]! / length, sum[2]! / length, sum[3]! / length];
  return { place: [x, y, sum[0]! / weights] as Vector, normal };
}

function aroundFace(x: number, y: number, { behind }: Room): { place: Vector; normal?: Vector } {
  const inside = 1 - (x / SKULL.wide) ** 2 - ((y - SKULL.y) / SKULL.high) ** 2;
  if (inside > 0) {
    const depth = Math.sqrt(inside);
    const [nx, ny, nz] = [x / SKULL.wide ** 2, (y - SKULL.y) / SKULL.high ** 2, -depth / SKULL.deep];
    const length = Math.hypot(nx, ny, nz);
    return {
      place: [x, y, SKULL.z + 0.5 - SKULL.deep * depth],
      normal: [nx / length, ny / length, nz / length],
    };
  }
  const isBody = y > 1.4 && Math.abs(x) < 0.7 + 1.2 * (y - 1.4) && Math.abs(x) < 3;
  return { place: [x, y, isBody ? 1.2 : behind] };
}

/** Normal of the plane that fits the neighbourhood on the mesh. */
function normalAt([x, y]: Vector, relief: readonly Vector[]): Vector {
  const near = [...relief]
    .sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y))
    .slice(0, NEIGHBOURS);
  const [, p, q] = fitLinear(
    near.map(([px, py]) => [1, px - x, py - y]),
    near.map(([, , z]) => z),
  ) as unknown as Vector;
  const length = Math.hypot(p, q, 1);
  return [p / length, q / length, -1 / length];
}

/** Fits harmonics of order 2 in the normals to a map over the face. */
export function harmonicsOf({ normals, isFace }: Geometry, map: Grid) {
  const at = normals.flatMap((normal, i) => (normal && isFace[i] && normal[2] < -0.4 ? i : []));
  const of = ([x, y, z]: Vector) => [1, x, y, z, x * y, x * z, y * z, x * x - y * y, 3 * z * z - 1];
  const values = at.map((i) => map.values[i]!);
  const coefficients = fitLinear(
    at.map((i) => of(normals[i]!)),
    values,
  );
  const shading = (normal: Vector) => of(normal).reduce((sum, value, i) => sum + value * coefficients[i]!, 0);
  return { shading, mean: values.reduce((sum, value) => sum + value, 0) / values.length };
}

/** Least squares with a small ridge. @param rows one for each observation */
function fitLinear(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const n = rows[0]!.length;
  const gram = Matrix.zeros(n, n);
  const right = Matrix.zeros(n, 1);
  for (const [i, row] of rows.entries()) {
    for (let a = 0; a < n; a++) {
      right.set(a, 0, right.get(a, 0) + row[a]! * values[i]!);
      for (let b = 0; b < n; b++) gram.set(a, b, gram.get(a, b) + row[a]! * row[b]!);
    }
  }
  for (let a = 0; a < n; a++) gram.set(a, a, gram.get(a, a) * (1 + 1e-6) + 1e-9);
  return solve(gram, right).to1DArray();
}
