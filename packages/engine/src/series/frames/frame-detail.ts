import { gaussianBlur } from '../../imaging/gaussian-blur.ts';
import { IMAGE_SIDE } from '../../stages/hash-cells.ts';
import type { AlignedFaceImage } from '../../types.ts';

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
  const clipped = clippedSums(luma, inside);
  const result = { luma: new Float32Array(DETAIL_PIXELS), usable: new Uint8Array(DETAIL_PIXELS) };
  for (let i = 0; i < DETAIL_PIXELS; i++) {
    const [row, column] = [Math.floor(i / DETAIL_SIDE), i % DETAIL_SIDE];
    const first = 2 * row * IMAGE_SIDE + 2 * column;
    const below = first + IMAGE_SIDE;
    const to = mirrored ? i - 2 * column + DETAIL_SIDE - 1 : i;
    result.luma[to] = (blurred[first]! + blurred[first + 1]! + blurred[below]! + blurred[below + 1]!) / 4;
    result.usable[to] = isClippedAround(clipped, row, column) ? 0 : 1;
  }
  return result;
}

/** Entries of a line of the summed-area table. */
const SUMS = IMAGE_SIDE + 1;

/** Summed-area table of the pixels that cannot be compared. */
function clippedSums(luma: Uint8Array, inside: Uint8Array): Uint16Array {
  const sums = new Uint16Array(SUMS * SUMS);
  for (let y = 0; y < IMAGE_SIDE; y++) {
    for (let x = 0; x < IMAGE_SIDE; x++) {
      const i = y * IMAGE_SIDE + x;
      const clipped = inside[i] && luma[i]! >= DARKEST && luma[i]! <= BRIGHTEST ? 0 : 1;
      const at = (y + 1) * SUMS + x + 1;
      sums[at] = clipped + sums[at - 1]! + sums[at - SUMS]! - sums[at - SUMS - 1]!;
    }
  }
  return sums;
}

function isClippedAround(sums: Uint16Array, row: number, column: number): boolean {
  const [top, left] = [Math.max(0, 2 * row - MARGIN) * SUMS, Math.max(0, 2 * column - MARGIN)];
  const bottom = Math.min(IMAGE_SIDE, 2 * row + 2 + MARGIN) * SUMS;
  const right = Math.min(IMAGE_SIDE, 2 * column + 2 + MARGIN);
  return sums[bottom + right]! - sums[bottom + left]! - sums[top + right]! + sums[top + left]! > 0;
}
