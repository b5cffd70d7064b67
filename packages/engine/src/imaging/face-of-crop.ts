import type { Face, FaceCrop } from '../types.ts';
import { intersection } from './geometry.ts';

/** Two boxes that share more than this part of the smaller one belong to one face. */
const SAME_FACE = 0.5;

/** The face that a crop was cut for among the faces found in it, or null. */
export function faceOfCrop(faces: readonly Face[], { box }: Pick<FaceCrop, 'box'>): Face | null {
  let best: Face | null = null;
  let most = SAME_FACE;
  for (const face of faces) {
    const smaller = Math.min(face.box.width * face.box.height, box.width * box.height);
    const shared = intersection(face.box, box) / smaller;
    if (shared < most) continue;
    best = face;
    most = shared;
  }
  return best;
}
