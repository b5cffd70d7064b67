import { type Affine, apply, centreOf, scaleOf, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Point } from '../../types.ts';
import type { Detection } from '../detection/detect.ts';
import { infer, type Model } from '../model.ts';
import { mirrorPoint } from './mirror-point.ts';

/** 468 points of a face (numbering of MediaPipe's canonical face). */
export interface Mesh {
  /** x, y, z of each point. x and y in pixels of the upright picture; z in the same unit, smaller is nearer. */
  readonly points: Float32Array;
  /** Probability that the crop shows a face, 0…1. */
  readonly score: number;
}

const POINTS = 468;
/** Crop side over detector box side. */
const MARGIN = 1.6;

/** Where in the picture a mesh is looked for. */
export interface MeshCrop {
  /** Maps the pixels of the network's input to those of the picture; x runs the other way when `mirrored`. */
  readonly toPicture: Affine;
  /** The network sees the face in a mirror: its points then stand for those of the other side. */
  readonly mirrored: boolean;
}

/** Lays the mesh over a detection. */
export async function meshOf(model: Model, from: Sampler, face: Detection): Promise<Mesh> {
  const toPicture = detectionCrop(face, model.spec.input.width);
  const [mesh] = await fitMeshes(model, from, [{ toPicture, mirrored: false }]);
  return mesh!;
}

/** A square around a detection, turned so that the detector's eyes are level. @param size side of the crop, pixels */
export function detectionCrop(face: Detection, size: number): Affine {
  const [eyeLeft, eyeRight] = face.keypoints as [Point, Point];
  const angle = Math.atan2(eyeRight.y - eyeLeft.y, eyeRight.x - eyeLeft.x);
  return squareCrop(centreOf(face.box), face.side * MARGIN, angle, size);
}

/** One mesh for each crop, numbered as the person's points whichever way the network saw them. */
export async function fitMeshes(model: Model, from: Sampler, crops: readonly MeshCrop[]): Promise<Mesh[]> {
  const size = model.spec.input.width;
  const output = await infer(
    model,
    crops.map(({ toPicture }) => from.crop(toPicture, size, size)),
  );
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
    points.set([x, y, raw[seen + 2]! * depth], 3 * point);
  }
  return points;
}

/** Outer corners of the eyes at the left and at the right of the face as seen. */
const EYE_CORNERS = [33, 263] as const;

/** Angle of the line through the eyes, radians, clockwise on screen; 0 in an upright face. */
export function eyeLineAngle(mesh: Mesh): number {
  const [right, left] = [pointOf(mesh, EYE_CORNERS[0]), pointOf(mesh, EYE_CORNERS[1])];
  return Math.atan2(left.y - right.y, left.x - right.x);
}

/** Point of the mesh by its number, without depth. */
export function pointOf(mesh: Mesh, index: number): Point {
  return { x: mesh.points[index * 3]!, y: mesh.points[index * 3 + 1]! };
}

/** Distance of two points of the mesh in space, so that it does not shrink as the head turns. */
export function distance3d({ points }: Mesh, from: number, to: number): number {
  const along = (axis: number) => points[to * 3 + axis]! - points[from * 3 + axis]!;
  return Math.hypot(along(0), along(1), along(2));
}
