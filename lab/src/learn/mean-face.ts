import { fitRotation, type Matrix3, rotate } from '@wajah/engine/training';

const ROUNDS = 10;
/** Indices of mesh points: temples, top of the forehead, chin. */
const [RIGHT, LEFT, FOREHEAD, CHIN] = [234, 454, 10, 152] as const;

type Cloud = Float32Array;
type Vector = readonly [number, number, number];

/**
 * Mean of meshes by generalised Procrustes analysis (Gower, 1975), symmetric and frontal: x to the person's left, y
 * down, z to the back; mean distance of the points from the centre 1.
 * @param meshes x, y, z of each point, interleaved
 */
export function meanFace(meshes: readonly Cloud[]): Cloud {
  const clouds = meshes.map(unit);
  let mean = clouds[0]!;
  for (let round = 0; round < ROUNDS; round++) {
    const turned = clouds.map((cloud) => rotate(fitRotation(cloud, mean), cloud));
    mean = unit(mean.map((_, i) => turned.reduce((sum, cloud) => sum + cloud[i]!, 0)));
  }
  return symmetric(straight(mean));
}

function unit(cloud: Cloud): Cloud {
  const count = cloud.length / 3;
  const centre = [0, 1, 2].map(
    (axis) => cloud.reduce((sum, v, i) => (i % 3 === axis ? sum + v : sum), 0) / count,
  );
  const moved = cloud.map((value, i) => value - centre[i % 3]!);
  let size = 0;
  for (let i = 0; i < moved.length; i += 3) size += Math.hypot(moved[i]!, moved[i + 1]!, moved[i + 2]!);
  return moved.map((value) => (value * count) / size);
}

/** Rotated so that temples and the line from forehead to chin are the axes. */
function straight(cloud: Cloud): Cloud {
  const x = normal(between(cloud, RIGHT, LEFT));
  const down = between(cloud, FOREHEAD, CHIN);
  const along = dot(down, x);
  const y = normal([down[0] - along * x[0], down[1] - along * x[1], down[2] - along * x[2]]);
  const z: Vector = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const axes: Matrix3 = [...x, ...y, ...z];
  return rotate(axes, cloud);
}

/** Mean of a face and its mirror image. */
function symmetric(cloud: Cloud): Cloud {
  const partner = partners(cloud);
  return cloud.map((value, i) => {
    const axis = i % 3;
    const other = cloud[partner[(i - axis) / 3]! * 3 + axis]!;
    return (value + (axis === 0 ? -other : other)) / 2;
  });
}

/** Index of the mirror point of each point (its own in the middle): greedy, nearest pairs first. */
function partners(cloud: Cloud): number[] {
  const count = cloud.length / 3;
  const pairs: { i: number; j: number; apart: number }[] = [];
  for (let i = 0; i < count; i++) {
    for (let j = i; j < count; j++) pairs.push({ i, j, apart: mirrorDistance(cloud, i, j) });
  }
  const partner = new Array<number>(count).fill(-1);
  for (const { i, j } of pairs.sort((p, q) => p.apart - q.apart)) {
    if (partner[i] !== -1 || partner[j] !== -1) continue;
    partner[i] = j;
    partner[j] = i;
  }
  return partner;
}

/** Distance from the mirror image of one point to another. */
function mirrorDistance(cloud: Cloud, i: number, j: number): number {
  const across = cloud[j * 3]! + cloud[i * 3]!;
  return Math.hypot(across, cloud[j * 3 + 1]! - cloud[i * 3 + 1]!, cloud[j * 3 + 2]! - cloud[i * 3 + 2]!);
}

function between(cloud: Cloud, from: number, to: number): Vector {
  const at = (axis: number) => cloud[to * 3 + axis]! - cloud[from * 3 + axis]!;
  return [at(0), at(1), at(2)];
}

function dot(p: Vector, q: Vector): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

function normal(v: Vector): Vector {
  const length = Math.sqrt(dot(v, v));
  return [v[0] / length, v[1] / length, v[2] / length];
}
