import {
  type Affine,
  apply,
  around,
  centreOf,
  centroid,
  mirrored,
  scaleOf,
  squareCrop,
} from '../../imaging/geometry.ts';
import { brightened, type Sampler } from '../../imaging/sampler.ts';
import type { Model } from '../../runtime/model.ts';
import type { Box, Point } from '../../types.ts';
import type { Detection } from '../detected.ts';
import { inferViews } from '../infer.ts';
import { memoize } from '../maths.ts';
import { mirrorPoint, POINTS } from './mean-face.ts';

/** 468 points of a face, numbered as in MediaPipe's canonical face model. */
export interface Mesh {
  /** x, y, z of each point. x and y in pixels of the upright picture; z in the same unit, smaller is nearer. */
  readonly points: Float32Array;
  /** Probability that the crop shows a face, 0…1. */
  readonly score: number;
}

/** Crop side over detector box side. */
const MARGIN = 1.6;

/** A crop of the picture that the mesh network runs on. */
interface MeshCrop {
  /** Maps the pixels of the network's input to those of the picture; x runs the other way when `mirrored`. */
  readonly toPicture: Affine;
  /** Whether the crop is a mirror image: its points then stand for those of the other side. */
  readonly mirrored: boolean;
}

/** Mesh of a detected face. */
export async function meshOf(model: Model, from: Sampler, face: Detection): Promise<Mesh> {
  const toPicture = detectionCrop(face, model.spec.input.width);
  const [mesh] = await fitMeshes(model, from, [{ toPicture, mirrored: false }]);
  return mesh!;
}

/** A square around a detection, rotated so that the detected eyes are level. @param size side of the crop, pixels */
function detectionCrop(face: Detection, size: number): Affine {
  const [eyeLeft, eyeRight] = face.keypoints as [Point, Point];
  const angle = Math.atan2(eyeRight.y - eyeLeft.y, eyeRight.x - eyeLeft.x);
  return squareCrop(centreOf(face.box), face.side * MARGIN, angle, size);
}

/** One mesh for each crop, with the person's own numbering for mirrored crops as well. */
async function fitMeshes(model: Model, from: Sampler, crops: readonly MeshCrop[]): Promise<Mesh[]> {
  const views = crops.map(({ toPicture }) => toPicture);
  const output = await inferViews(model, from, views);
  const [raw, scores] = [output('mesh'), output('score')];
  return crops.map((crop, i) => ({
    points: inPicture(raw.subarray(i * POINTS * 3, (i + 1) * POINTS * 3), crop),
    score: scores[i]!,
  }));
}

function inPicture(raw: Float32Array, { toPicture, mirrored }: MeshCrop): Float32Array {
  const depth = scaleOf(toPicture);
  const points = new Float32Array(POINTS * 3);
  for (let point = 0; point < POINTS; point++) {
    const seen = 3 * (mirrored ? mirrorPoint(point) : point);
    const { x, y } = apply(toPicture, { x: raw[seen]!, y: raw[seen + 1]! });
    points[3 * point] = x;
    points[3 * point + 1] = y;
    points[3 * point + 2] = raw[seen + 2]! * depth;
  }
  return points;
}

/** Outer corners of the eyes at the left and at the right of the picture. */
const EYE_CORNERS = [33, 263] as const;

/** Angle of the line through the eyes, radians, clockwise on screen; 0 in an upright face. */
export function eyeLineAngle(mesh: Mesh): number {
  const [right, left] = [pointOf(mesh, EYE_CORNERS[0]), pointOf(mesh, EYE_CORNERS[1])];
  return Math.atan2(left.y - right.y, left.x - right.x);
}

/** Point of the mesh by its number, 0…467, without depth. */
export function pointOf(mesh: Mesh, index: number): Point {
  return { x: mesh.points[index * 3]!, y: mesh.points[index * 3 + 1]! };
}

/** Distance of two points of the mesh in space, which does not shrink as the head turns. */
export function distance3d({ points }: Mesh, from: number, to: number): number {
  const along = (axis: number) => points[to * 3 + axis]! - points[from * 3 + axis]!;
  return Math.hypot(along(0), along(1), along(2));
}

/** Brows, temples and the line of the jaw down to the chin. */
const OUTLINE = [
  70, 63, 105, 66, 107, 336, 296, 334, 293, 300, 127, 234, 93, 132, 58, 172, 136, 150, 149, 176, 148, 152,
  377, 400, 378, 379, 365, 397, 288, 361, 323, 454, 356,
] as const;

/** Box around brows, temples and jaw, as most detectors draw it; varies less than the detector's own box. */
export function faceBox(mesh: Mesh): Box {
  return around(OUTLINE.map((index) => pointOf(mesh, index)));
}

/** Mesh points around the eye at the left of the picture and the one at its right. */
const EYES = [
  [33, 133, 159, 145],
  [362, 263, 386, 374],
] as const;
const NOSE_TIP = 1;
const MOUTH_CORNERS = [61, 291] as const;

/** Centre of the right eye, of the left eye, nose tip, right and left corner of the mouth (the person's own sides). */
export function landmarksOf(mesh: Mesh): readonly [Point, Point, Point, Point, Point] {
  const eye = (indices: readonly number[]) => centroid(indices.map((index) => pointOf(mesh, index)));
  return [
    eye(EYES[0]),
    eye(EYES[1]),
    pointOf(mesh, NOSE_TIP),
    pointOf(mesh, MOUTH_CORNERS[0]),
    pointOf(mesh, MOUTH_CORNERS[1]),
  ];
}

/** Crop sides over the longer side of the mesh, chosen on `dev`: errors on crops of different sizes correlate little. */
const MARGINS = [1.2, 1.5, 1.7] as const;
/** Margin of the crops that others are centred by. */
const CENTRING = 1.4;
/** The first ones are for angles: wider crops lose strong turns. */
const POSE_MARGINS = 2;

/** Brightness of the crops of settled meshes, and the least that is made as bright: mean luminance of the inner face, 0…1. */
const EVEN_BRIGHTNESS = 0.5;
const LEAST_BRIGHTNESS = 0.02;

/** Means of the meshes of several crops of one face. Crops are fitted at the first call that needs them, once. */
export interface MeshPasses {
  /** Mean over the four narrow crops: for angles, and for lips and eyelids that are clearly in one state. */
  narrow(): Promise<Mesh>;
  /** Mean over all crops: for lips, eyelids and the mesh itself. */
  all(): Promise<Mesh>;
  /**
   * As `narrow`, of crops that were centred by two meshes more, while those of the others lie around the first mesh, which
   * moves with the detection: of a mirrored or cropped picture it varies a third as much as `narrow`. All are made as
   * bright as another, so that it stays where it is in a picture that was darkened.
   * @param brightness mean luminance of the inner face, 0…1
   */
  settled(brightness: number): Promise<Mesh>;
}

type Found = { readonly detection: Detection; readonly mesh: Mesh };

/**
 * Fits the mesh to seven further crops of a face: the first crop mirrored, and level crops of three sizes around the
 * first mesh, each with its mirror image. When a picture is encoded again, scaled or shifted, the mean varies half as
 * much as the first mesh, and a quarter as much when it is mirrored. It is for measures on the mesh; alignment keeps the
 * first mesh, to which templates are pinned.
 * @param everything whether all crops will be needed: in one batch they take less time
 */
export function meshPasses(
  model: Model,
  from: Sampler,
  { detection, mesh }: Found,
  everything: boolean,
): MeshPasses {
  const size = model.spec.input.width;
  const narrowCrops = pairsAround(mesh, size, MARGINS.slice(0, POSE_MARGINS));
  const narrowCount = narrowCrops.length;
  const wideCrops = [
    ...pairsAround(mesh, size, MARGINS.slice(POSE_MARGINS)),
    inMirror(detectionCrop(detection, size), size),
  ];
  const first = memoize(() =>
    fitMeshes(model, from, everything ? [...narrowCrops, ...wideCrops] : narrowCrops),
  );
  const fitted = memoize(async () => {
    const meshes = await first();
    if (meshes.length > narrowCount) return meshes;
    return [...meshes, ...(await fitMeshes(model, from, wideCrops))];
  });
  const narrow = memoize(async () => meanOf((await first()).slice(0, narrowCount), mesh));
  return {
    narrow,
    all: memoize(async () => meanOf([mesh, ...(await fitted())], mesh)),
    async settled(brightness) {
      const even = brightened(from, EVEN_BRIGHTNESS / Math.max(LEAST_BRIGHTNESS, brightness));
      const centred = await fitMeshes(model, even, pairsAround(await narrow(), size, [CENTRING]));
      const crops = pairsAround(meanOf(centred, mesh), size, MARGINS.slice(0, POSE_MARGINS));
      return meanOf(await fitMeshes(model, even, crops), mesh);
    },
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
