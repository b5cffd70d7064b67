import { type Affine, mirrored, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Model } from '../../runtime/model.ts';
import type { Point } from '../../types.ts';
import type { Detection } from '../detected.ts';
import { memoize } from '../memoize.ts';
import { detectionCrop, eyeLineAngle, fitMeshes, type Mesh, type MeshCrop } from './mesh.ts';

/** Crop sides over the longer side of the mesh, chosen on `dev`: errors on crops of different sizes correlate little. */
const MARGINS = [1.2, 1.5, 1.7] as const;
/** The first ones are for angles: wider crops lose strong turns. */
const POSE_MARGINS = 2;

/** Means of the meshes of several crops of one face. Crops are fitted at the first call that needs them, once. */
export interface MeshPasses {
  /** Mean over the four narrow crops: for angles, and for lips and eyelids that are clearly in one state. */
  narrow(): Promise<Mesh>;
  /** Mean over all crops: for lips, eyelids and the mesh itself. */
  all(): Promise<Mesh>;
}

type Found = { readonly detection: Detection; readonly mesh: Mesh; readonly narrow?: Mesh };

/**
 * Fits the mesh to seven further crops of a face: the first crop mirrored, and level crops of three sizes around the
 * first mesh, each with its mirror image. When a picture is encoded again, scaled or shifted, the mean varies half as
 * much as the first mesh, and a quarter as much when it is mirrored. It is for measures on the mesh; alignment keeps the
 * first mesh, to which templates are pinned.
 * @param found the narrow crops are not fitted where their mean is known
 * @param everything whether all crops will be needed: in one batch they take less time
 */
export function meshPasses(
  model: Model,
  from: Sampler,
  { detection, mesh, narrow: known }: Found,
  everything: boolean,
): MeshPasses {
  const size = model.spec.input.width;
  const narrowCrops = pairsAround(mesh, size, MARGINS.slice(0, POSE_MARGINS));
  const narrowCount = narrowCrops.length;
  const wideCrops = [
    ...pairsAround(mesh, size, MARGINS.slice(POSE_MARGINS)),
    inMirror(detectionCrop(detection, size), size),
  ];
  const first = memoize(async () => {
    // The mean in place of each gives the same mean of all.
    if (known) return Array.from({ length: narrowCount }, () => known);
    return fitMeshes(model, from, everything ? [...narrowCrops, ...wideCrops] : narrowCrops);
  });
  const fitted = memoize(async () => {
    const meshes = await first();
    if (meshes.length > narrowCount) return meshes;
    return [...meshes, ...(await fitMeshes(model, from, wideCrops))];
  });
  return {
    narrow: memoize(async () => meanOf((await first()).slice(0, narrowCount), mesh)),
    all: memoize(async () => meanOf([mesh, ...(await fitted())], mesh)),
  };
}

function meanOf(meshes: readonly Mesh[], { points, score }: Mesh): Mesh {
  const sums = new Float64Array(points.length);
  for (const one of meshes) for (let i = 0; i < sums.length; i++) sums[i]! += one.points[i]!;
  const mean = new Float32Array(sums.length);
  for (let i = 0; i < sums.length; i++) mean[i] = sums[i]! / meshes.length;
  return { points: mean, score };
}

function inMirror(toPicture: Affine, size: number): MeshCrop {
  return { toPicture: mirrored(toPicture, size), mirrored: true };
}

/** Level crops around a mesh, each followed by its mirror image. @param margins sides over the longer side of the mesh */
function pairsAround(mesh: Mesh, size: number, margins: readonly number[]): MeshCrop[] {
  const level = eyeLineAngle(mesh);
  const { centre, side } = squareAround(mesh, level);
  return margins.flatMap((margin) => {
    const toPicture = squareCrop(centre, side * margin, level, size);
    return [{ toPicture, mirrored: false }, inMirror(toPicture, size)];
  });
}

/** Centre and longer side of the box around the mesh whose axes are rotated by `angle` (radians, clockwise on screen). */
function squareAround(mesh: Mesh, angle: number): { centre: Point; side: number } {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [along, across] = [range(mesh, cos, sin), range(mesh, -sin, cos)];
  const [u, v] = [along.middle, across.middle];
  return {
    centre: { x: cos * u - sin * v, y: sin * u + cos * v },
    side: Math.max(along.length, across.length),
  };
}

/** Extent of the points along a direction. */
function range({ points }: Mesh, dx: number, dy: number): { middle: number; length: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < points.length; i += 3) {
    const place = points[i]! * dx + points[i + 1]! * dy;
    least = Math.min(least, place);
    most = Math.max(most, place);
  }
  return { middle: (least + most) / 2, length: most - least };
}
