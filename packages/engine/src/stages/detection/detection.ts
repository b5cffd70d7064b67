import { type Affine, intersection, overlap } from '../../imaging/geometry.ts';
import type { Box, Face, FaceCrop } from '../../types.ts';
import type { Detection } from '../detected.ts';

/**
 * Decodes the outputs of a detector.
 * @param output values of an output by its name
 * @param side of the view, pixels
 * @param threshold least score, 0…1
 * @param toPicture maps pixels of the view to the picture
 */
export type DetectorDecoder = (
  output: (name: string) => Float32Array,
  side: number,
  threshold: number,
  toPicture: Affine,
) => Detection[];

/** Intersection over union from which two detections count as one face. */
const NMS_OVERLAP = 0.3;

/** Two boxes that share more than this part of the smaller one belong to one face. */
const SAME_FACE = 0.5;

/** Whether two boxes are of one face, or one of them of a part of it. */
export function isSame(one: Box, other: Box): boolean {
  return sharedPart(one, other) > SAME_FACE;
}

/** What two boxes share over the area of the smaller one. */
function sharedPart(one: Box, other: Box): number {
  return intersection(one, other) / Math.min(one.width * one.height, other.width * other.height);
}

/** Non-maximum suppression: the best of detections that overlap, best first. */
export function suppress(found: readonly Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const one of [...found].sort((p, q) => q.score - p.score)) {
    if (kept.every((other) => overlap(one.box, other.box) < NMS_OVERLAP)) kept.push(one);
  }
  return kept;
}

/** The face that a crop was cut for among the faces found in it, or null. */
export function faceOfCrop(faces: readonly Face[], { box }: Pick<FaceCrop, 'box'>): Face | null {
  let best: Face | null = null;
  let most = SAME_FACE;
  for (const face of faces) {
    const shared = sharedPart(face.box, box);
    if (shared < most) continue;
    best = face;
    most = shared;
  }
  return best;
}
