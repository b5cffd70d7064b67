import { apply, centreOf, scaleOf, squareCrop } from '../geometry.ts';
import type { Sampler } from '../sampler.ts';
import type { Point } from '../types.ts';
import type { Detection } from './detect.ts';
import { infer, type Model } from './model.ts';

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

/** Lays the mesh over a detection: a square crop turned so that the detector's eyes are level. */
export async function meshOf(model: Model, from: Sampler, face: Detection): Promise<Mesh> {
  const [eyeLeft, eyeRight] = face.keypoints as [Point, Point];
  const angle = Math.atan2(eyeRight.y - eyeLeft.y, eyeRight.x - eyeLeft.x);
  return layMesh(model, from, centreOf(face.box), face.side * MARGIN, angle);
}

async function layMesh(
  model: Model,
  from: Sampler,
  centre: Point,
  side: number,
  angle: number,
): Promise<Mesh> {
  const size = model.spec.input.width;
  const toPicture = squareCrop(centre, side, angle, size);
  const output = await infer(model, [from.crop(toPicture, size, size)]);
  const raw = output('mesh');
  const score = output('score')[0]!;
  const depth = scaleOf(toPicture);
  const points = new Float32Array(POINTS * 3);
  for (let i = 0; i < points.length; i += 3) {
    const p = apply(toPicture, { x: raw[i]!, y: raw[i + 1]! });
    points[i] = p.x;
    points[i + 1] = p.y;
    points[i + 2] = raw[i + 2]! * depth;
  }
  return { points, score };
}

/** Point of the mesh by its number, without depth. */
export function pointOf(mesh: Mesh, index: number): Point {
  return { x: mesh.points[index * 3]!, y: mesh.points[index * 3 + 1]! };
}

/** Distance of two points of the mesh in space, so that it does not shrink as the head turns. */
export function gapOf({ points }: Mesh, from: number, to: number): number {
  const along = (axis: number) => points[to * 3 + axis]! - points[from * 3 + axis]!;
  return Math.hypot(along(0), along(1), along(2));
}
