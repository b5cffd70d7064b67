import { apply, centreOf, scaleOf, squareCrop } from '../geometry.ts';
import type { Network } from '../packs/pack.ts';
import type { Sampler } from '../sampler.ts';
import type { Point } from '../types.ts';
import type { Detection } from './detect.ts';
import { batch } from './tensor.ts';

/** 468 points of a face (numbering of MediaPipe's canonical face). */
export interface Mesh {
  /** x, y, z of each point. x and y in pixels of the upright picture; z in the same unit, smaller is nearer. */
  readonly points: Float32Array;
  /** Probability that the crop shows a face, 0…1. */
  readonly score: number;
}

/** Below this a detection only looks like a face. */
export const MESH_GATE = 0.5;

const SIZE = 192;
const POINTS = 468;
/** Crop side over detector box side. */
const MARGIN = 1.6;

/** Lays the mesh over a detection: a square crop turned so that the detector's eyes are level. */
export async function meshOf(network: Network, from: Sampler, face: Detection): Promise<Mesh> {
  const [eyeLeft, eyeRight] = face.keypoints as [Point, Point];
  const angle = Math.atan2(eyeRight.y - eyeLeft.y, eyeRight.x - eyeLeft.x);
  return layMesh(network, from, centreOf(face.box), face.side * MARGIN, angle);
}

async function layMesh(
  network: Network,
  from: Sampler,
  centre: Point,
  side: number,
  angle: number,
): Promise<Mesh> {
  const toPicture = squareCrop(centre, side, angle, SIZE);
  const crop = from.crop(toPicture, SIZE, SIZE);
  const outputs = Object.values(await network.run({ [network.inputs[0]!]: batch([crop], 1 / 255, 0) }));
  const raw = outputs.find(({ data }) => data.length === POINTS * 3)!.data;
  const score = outputs.find(({ data }) => data.length === 1)!.data[0]!;
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
