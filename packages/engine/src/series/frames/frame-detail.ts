import { gaussianBlur } from '../../imaging/gaussian-blur.ts';
import type { AlignedFaceImage } from '../../types.ts';
import { IMAGE_SIDE } from './hash-cells.ts';

/** Pixels of a frame's detail across and down. */
export const DETAIL_SIDE = 48;
/** Pixels of a frame's detail. */
export const DETAIL_PIXELS = DETAIL_SIDE ** 2;
/** Bytes of a frame's detail. */
export const DETAIL_BYTES: number = DETAIL_PIXELS + DETAIL_PIXELS / 8;

/** Standard deviation of the blur before halving, in pixels of the image: less aliasing when a picture is resampled. */
const BLUR = 1;

/** Brightness beyond these is clipped by a sensor or a program, and is not compared. */
const DARKEST = 8;
const BRIGHTEST = 244;
/** Pixels of the image around each four that must be usable too, since the blur mixes them. */
const MARGIN = 2;

/**
 * The face of a frame, blurred and in grey, that `samePictureQuery` decides with.
 * @returns 2,592 bytes: the brightness of 48 × 48 pixels, row-major, then a bit for each, set where it can be compared
 *   (inside of the picture, neither black nor overexposed)
 */
export function frameDetailOf(image: AlignedFaceImage): Uint8Array {
  const { luma, usable } = detailPlane(image);
  const bytes = new Uint8Array(DETAIL_BYTES);
  for (let i = 0; i < DETAIL_PIXELS; i++) {
    bytes[i] = Math.round(luma[i]!);
    bytes[DETAIL_PIXELS + (i >> 3)]! |= usable[i]! << (i & 7);
  }
  return bytes;
}

/** Restores what `frameDetailOf` wrote. @throws RangeError when it has not 2,592 bytes */
export function parseFrameDetail(bytes: Uint8Array): DetailPlane {
  if (bytes.length !== DETAIL_BYTES)
    throw new RangeError(`a frame's detail of ${bytes.length} bytes; it must have ${DETAIL_BYTES}`);
  const usable = Uint8Array.from(
    { length: DETAIL_PIXELS },
    (_, i) => (bytes[DETAIL_PIXELS + (i >> 3)]! >> (i & 7)) & 1,
  );
  return { luma: Float32Array.from(bytes.subarray(0, DETAIL_PIXELS)), usable };
}

/** A detail before it is rounded: brightness 0…255, and 1 where it can be compared. */
export interface DetailPlane {
  readonly luma: Float32Array;
  readonly usable: Uint8Array;
}

/** @param mirrored computes it of the mirror image */
export function detailPlane({ luma, inside }: AlignedFaceImage, mirrored = false): DetailPlane {
  const blurred = gaussianBlur(Float32Array.from(luma), IMAGE_SIDE, BLUR);
  const clipped = luma.map((value, i) => (inside[i] && value >= DARKEST && value <= BRIGHTEST ? 0 : 1));
  const result = { luma: new Float32Array(DETAIL_PIXELS), usable: new Uint8Array(DETAIL_PIXELS) };
  for (let i = 0; i < DETAIL_PIXELS; i++) {
    const [row, column] = [Math.floor(i / DETAIL_SIDE), i % DETAIL_SIDE];
    const first = 2 * row * IMAGE_SIDE + 2 * column;
    const four = [first, first + 1, first + IMAGE_SIDE, first + IMAGE_SIDE + 1];
    const to = mirrored ? i - 2 * column + DETAIL_SIDE - 1 : i;
    result.luma[to] = four.reduce((sum, at) => sum + blurred[at]!, 0) / 4;
    result.usable[to] = isClippedAround(clipped, row, column) ? 0 : 1;
  }
  return result;
}

function isClippedAround(clipped: Uint8Array, row: number, column: number): boolean {
  const last = IMAGE_SIDE - 1;
  for (let y = Math.max(0, 2 * row - MARGIN); y <= Math.min(last, 2 * row + 1 + MARGIN); y++) {
    const from = y * IMAGE_SIDE + Math.max(0, 2 * column - MARGIN);
    const to = y * IMAGE_SIDE + Math.min(last, 2 * column + 1 + MARGIN);
    for (let at = from; at <= to; at++) if (clipped[at]) return true;
  }
  return false;
}
