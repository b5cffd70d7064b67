import { type Affine, mirrored, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Point } from '../../types.ts';
import type { Detection } from '../detection/detection.ts';
import type { Model } from '../model.ts';
import { detectionCrop, eyeLineAngle, fitMeshes, type Mesh, type MeshCrop } from './mesh.ts';

/** Crop sides over the longer side of the mesh, chosen on `dev`: errors on crops of different sizes correlate little. */
const MARGINS = [1.2, 1.5, 1.7] as const;
/** The first ones are for angles: wider crops lose strong turns. */
const POSE_MARGINS = 2;

/** Means of the meshes of several crops of one face. */
export interface AveragedMesh {
  /** Mean over all crops: for lips, eyelids and the mesh itself. */
  readonly shape: Mesh;
  /** Mean over the narrow crops: for angles. */
  readonly poseMesh: Mesh;
}

type Found = { readonly detection: Detection; readonly mesh: Mesh };

/**
 * Fits the mesh to seven further crops of a face: the first crop mirrored, and level crops of three sizes around the
 * first mesh, each with its mirror image. When a picture is encoded again, scaled or shifted, the mean varies half as
 * much as the first mesh, and a quarter as much when it is mirrored. It is for measures on the mesh; alignment keeps the
 * first mesh, to which templates are pinned.
 */
export async function averagedMesh(
  model: Model,
  from: Sampler,
  { detection, mesh }: Found,
): Promise<AveragedMesh> {
  const size = model.spec.input.width;
  const again = await fitMeshes(model, from, [
    ...pairsAround(mesh, size, MARGINS),
    inMirror(detectionCrop(detection, size), size),
  ]);
  return { shape: meanOf([mesh, ...again], mesh), poseMesh: meanOf(again.slice(0, 2 * POSE_MARGINS), mesh) };
}

/** `poseMesh` alone, from four crops, where only angles are needed. */
export async function poseMeshOf(model: Model, from: Sampler, { mesh }: Found): Promise<Mesh> {
  const pairs = pairsAround(mesh, model.spec.input.width, MARGINS.slice(0, POSE_MARGINS));
  return meanOf(await fitMeshes(model, from, pairs), mesh);
}

function meanOf(meshes: readonly Mesh[], { points, score }: Mesh): Mesh {
  const mean = points.map((_, i) => meshes.reduce((sum, one) => sum + one.points[i]!, 0) / meshes.length);
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
