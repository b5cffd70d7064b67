import type { Box, Face, FaceCrop } from '../types.ts';
import { cutJpeg, type Picture } from './decode.ts';
import { intersection } from './geometry.ts';

/** How a crop is made. */
export interface CropSize {
  /**
   * Side of a crop over the longer side of the face box. Every pack aligns the face within about twice its box, but
   * detectors were made for faces with something around: `docs/adr/0012` has what other sizes lose.
   */
  readonly around: number;
  /** Longest side in pixels: at 512 the face box gets about 200, more than any embedder looks at. */
  readonly largest: number;
  /** Of the JPEG, 1…100: at 92 about the loss that a phone's camera leaves. */
  readonly quality: number;
}

/** Of the crops that are kept. */
export const KEPT_CROP: CropSize = { around: 2.5, largest: 512, quality: 92 };

/** Least share of the smaller of two boxes that both have in common when they are of one face. */
const SAME_FACE = 0.5;

/**
 * A face with what is around it, as a small JPEG: enough for any pack to find and align it again. The crop ends where
 * the picture ends, so that what lies beyond is black for a pack as it was in the picture.
 * @param box of the face, in pixels of the upright picture
 */
export async function cropOf(picture: Picture, box: Box, size: CropSize = KEPT_CROP): Promise<FaceCrop> {
  const side = Math.max(box.width, box.height) * size.around;
  const from = { x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2 };
  const around = { ...from, width: side, height: side };
  const { jpeg, part, scale } = await cutJpeg(picture, around, size.largest, size.quality);
  return {
    jpeg,
    box: {
      x: (box.x - part.x) * scale,
      y: (box.y - part.y) * scale,
      width: box.width * scale,
      height: box.height * scale,
    },
  };
}

/** Of the faces found in a crop the one that it was made of; others may look over its shoulder. */
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
