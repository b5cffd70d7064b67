import type { Box, FaceCrop } from '../types.ts';
import { cutJpeg, decodeImage, type Picture } from './decode.ts';

/** Size and quality of a crop. */
export interface CropSize {
  /**
   * Side of the crop over the longer side of the face box. Every pack aligns the face within about twice its box, but
   * detectors need surroundings: `docs/adr/0012` compares sizes.
   */
  readonly around: number;
  /** Longest side in pixels: at 512 the face box has about 200, more than the input of any embedder. */
  readonly largest: number;
  /** Of the JPEG, 1…100: 92 is close to that of phone cameras. */
  readonly quality: number;
}

/** Crops that are stored. */
const KEPT_CROP: CropSize = { around: 2.5, largest: 512, quality: 92 };

/** Crops for lists of people: of twice the pixels that they show. */
const THUMBNAIL: CropSize = { around: 1.6, largest: 160, quality: 80 };

/**
 * The face of a stored crop as a small JPEG, 160 pixels wide and high at most, about 5 kB.
 * @throws EngineError `imageType` | `imageBroken` when the crop is damaged
 */
export async function thumbnailOf(jpeg: Uint8Array, box: Box): Promise<Uint8Array> {
  const limits = { maxBytes: jpeg.length, maxPixels: KEPT_CROP.largest ** 2 };
  return (await cropOf(await decodeImage(jpeg, limits), box, THUMBNAIL)).jpeg;
}

/**
 * A face with its surroundings as a small JPEG, from which any pack can detect and align the face again. The crop ends at
 * the edge of the picture, so that a pack gets the same black pixels beyond it as in the picture.
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
