import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { apply, fitSimilarity, invert } from '../../src/imaging/geometry.ts';
import { rotate } from '../../src/imaging/geometry-3d.ts';
import type { Point, Pose } from '../../src/types.ts';
import { rotationOf } from '../support/rotation.ts';
import { drawSurface, type Surface } from './surface.ts';

const mean: readonly number[] = JSON.parse(
  readFileSync(new URL('../../data/mean-face.json', import.meta.url), 'utf8'),
).points;

/** Position of a subject before the camera. Angles as those of a face, in degrees. */
export interface CameraPlacement extends Partial<Pose> {
  /** Distance of the camera over half the width of a face (about 7 cm): 7 is an arm's length. */
  readonly away?: number;
  /** Shift of the middle, in pixels. */
  readonly x?: number;
  readonly y?: number;
  /** Scale; 1 is the size in the original picture. */
  readonly scale?: number;
}

/** A surface that can be photographed. */
export interface Subject {
  readonly surface: Surface;
  /** Centre of rotation, and half the width of a face, in pixels of the surface. */
  readonly pivot: readonly [number, number, number];
  readonly unit: number;
}

/**
 * A head in relief: the picture of a face, with the depth of the mean face under it and that of a skull around it.
 * @param picture shows one face from the front
 * @param mesh its 468 points (`attributes: ['mesh']`)
 * @example
 * const head = await headOf(picture, face.mesh);
 * const left = await photograph(head, { yaw: 25 });
 */
export async function headOf(picture: Uint8Array, mesh: Float32Array): Promise<Subject> {
  const { pixels, width, height } = await decode(picture);
  const at = (points: ArrayLike<number>): Point[] =>
    Array.from({ length: 468 }, (_, i) => ({ x: points[3 * i]!, y: points[3 * i + 1]! }));
  const toPicture = fitSimilarity(at(mean), at(mesh));
  const unit = Math.hypot(toPicture.a, toPicture.c);
  const toMean = invert(toPicture);
  // Asked again at the same places for each photograph.
  const depths = new Map<number, number>();
  const depthAt = (x: number, y: number) => {
    const at = y * width + x;
    const depth = depths.get(at) ?? interpolatedDepth(apply(toMean, { x, y })) * unit;
    depths.set(at, depth);
    return depth;
  };
  const shown = (x: number, y: number) => isHead(apply(toMean, { x, y }));
  const pivot = apply(toPicture, { x: 0, y: 0.6 });
  return {
    surface: { pixels, width, height, depthAt, shown },
    pivot: [pivot.x, pivot.y, 1.1 * unit],
    unit: 1.45 * unit,
  };
}

/** A print or a screen that shows a picture. @param unit half the width of the face on it, pixels */
export async function flatOf(picture: Uint8Array, unit: number): Promise<Subject> {
  const { pixels, width, height } = await decode(picture);
  const surface = { pixels, width, height, depthAt: () => 0, shown: () => true };
  return { surface, pivot: [width / 2, height / 2, 0], unit };
}

/** Half the width of the face of a mesh, pixels. */
export function faceUnit(mesh: Float32Array): number {
  return Math.abs(mesh[454 * 3]! - mesh[234 * 3]!) / 2;
}

/** A JPEG of the subject, of the size of its surface. */
export async function photograph(
  subject: Subject,
  placement: CameraPlacement = {},
  quality = 92,
): Promise<Buffer> {
  const { surface, pivot, unit } = subject;
  const { yaw = 0, pitch = 0, roll = 0, away = 9, x = 0, y = 0, scale = 1 } = placement;
  const rotation = rotationOf({ yaw, pitch, roll });
  const camera = away * unit;
  const place = (px: number, py: number, pz: number): [number, number, number] => {
    const [rx, ry, rz] = rotate(rotation, [
      px - pivot[0],
      py - pivot[1],
      pz - pivot[2],
    ]) as unknown as number[];
    const depth = (camera + rz!) / camera;
    const near = scale / depth;
    return [pivot[0] + rx! * near + x, pivot[1] + ry! * near + y, depth];
  };
  const { width, height } = surface;
  const drawn = drawSurface(surface, place);
  return sharp(drawn, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

async function decode(picture: Uint8Array) {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** In units of the mean face. */
const SKULL = { x: 0, y: -0.35, z: 1.3, wide: 1.75, high: 2.35, deep: 1.7 };

/** Depth of the mean face where it is, of the skull and the neck around it. */
function depthAnchors(): Anchor[] {
  const anchors: Anchor[] = [];
  for (let i = 0; i < 468; i++) anchors.push({ x: mean[3 * i]!, y: mean[3 * i + 1]!, z: mean[3 * i + 2]! });
  for (let y = -4; y <= 6; y += 0.25) {
    for (let x = -5; x <= 5; x += 0.25) {
      if (Math.hypot(x / 1.55, y / 1.85) > 1.03) anchors.push({ x, y, z: skullDepth(x, y) });
    }
  }
  return anchors;
}

function skullDepth(x: number, y: number): number {
  const round = 1 - ((x - SKULL.x) / SKULL.wide) ** 2 - ((y - SKULL.y) / SKULL.high) ** 2;
  return SKULL.z - SKULL.deep * Math.sqrt(Math.max(0, round));
}

/** Whether a place belongs to the head and neck, and not to the room behind. */
function isHead({ x, y }: Point): boolean {
  if (y > 1.2) return true;
  return ((x - SKULL.x) / (SKULL.wide + 0.35)) ** 2 + ((y - SKULL.y) / (SKULL.high + 0.35)) ** 2 < 1;
}

const [anchorX, anchorY, anchorZ] = (['x', 'y', 'z'] as const).map((axis) =>
  Float64Array.from(depthAnchors(), (anchor) => anchor[axis]),
) as [Float64Array, Float64Array, Float64Array];

/** Mean over the anchors, weighted by distance to the power of −4. */
function interpolatedDepth({ x, y }: Point): number {
  let [sum, weights] = [0, 0];
  for (let i = 0; i < anchorZ.length; i++) {
    const square = (anchorX[i]! - x) ** 2 + (anchorY[i]! - y) ** 2 + 1e-4;
    const weight = 1 / (square * square);
    sum += weight * anchorZ[i]!;
    weights += weight;
  }
  return sum / weights;
}
