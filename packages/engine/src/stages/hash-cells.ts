import type { AlignedFaceImage } from '../types.ts';

/** Cells of a face image. */
export interface Cells {
  /** Brightness of each cell less the mean of those around it, −255…255. */
  readonly contrast: Float32Array;
  /** 1 where the contrast is valid: inside of the picture, neither black nor overexposed. */
  readonly usable: Uint8Array;
}

/** Cells across and down; each is one bit of a perceptual hash. */
export const CELLS = 32;
/** Pixels of an image across and down. */
export const IMAGE_SIDE = 96;
/** Side of the image, and of the square of cells in its middle, over the standard deviation of the mesh points. */
export const IMAGE_REACH = 3.2;
const REACH = 2.5;
/** Radius, in cells, of the neighbourhood that a cell is compared with. */
const AROUND = 2;
/** Samples per cell across and down. */
const FINE = 2;
/** Brightness outside of these is clipped by the sensor or a program. */
const DARKEST = 4;
const BRIGHTEST = 250;

const SAMPLES = CELLS * FINE;
/** Of each sample along a line, the pixel before it and its distance from that. */
const BEFORE = new Uint8Array(SAMPLES);
const PART = new Float64Array(SAMPLES);
for (let i = 0; i < SAMPLES; i++) {
  const away = (i + 0.5) / SAMPLES - 0.5;
  const place = (IMAGE_SIDE - 1) / 2 + (away * IMAGE_SIDE * REACH) / IMAGE_REACH;
  BEFORE[i] = place;
  PART[i] = place - BEFORE[i]!;
}

/** Samples the cells of an image, bilinearly. @param mirrored samples the mirror image */
export function cellsOf({ luma, inside }: AlignedFaceImage, mirrored = false): Cells {
  const means = new Float32Array(CELLS * CELLS);
  const usable = new Uint8Array(CELLS * CELLS).fill(1);
  for (let row = 0; row < SAMPLES; row++) {
    const fy = PART[row]!;
    for (let column = 0; column < SAMPLES; column++) {
      const seen = mirrored ? SAMPLES - 1 - column : column;
      const fx = PART[seen]!;
      const at = BEFORE[row]! * IMAGE_SIDE + BEFORE[seen]!;
      const upper = luma[at]! + (luma[at + 1]! - luma[at]!) * fx;
      const lower = luma[at + IMAGE_SIDE]! + (luma[at + IMAGE_SIDE + 1]! - luma[at + IMAGE_SIDE]!) * fx;
      const cell = Math.floor(row / FINE) * CELLS + Math.floor(column / FINE);
      means[cell]! += (upper + (lower - upper) * fy) / FINE ** 2;
      if (inside[at] === 0) usable[cell] = 0;
    }
  }
  for (let i = 0; i < means.length; i++) if (means[i]! < DARKEST || means[i]! > BRIGHTEST) usable[i] = 0;
  return { contrast: contrastOf(means), usable };
}

/** Each cell less the mean of the cells around it, from a summed-area table. */
function contrastOf(luma: Float32Array): Float32Array {
  const width = CELLS + 1;
  const sums = new Float64Array(width * width);
  for (let y = 0; y < CELLS; y++) {
    for (let x = 0; x < CELLS; x++) {
      const at = (y + 1) * width + x + 1;
      sums[at] = luma[y * CELLS + x]! + sums[at - 1]! + sums[at - width]! - sums[at - width - 1]!;
    }
  }
  const contrast = new Float32Array(CELLS * CELLS);
  for (let y = 0, i = 0; y < CELLS; y++) {
    const top = Math.max(0, y - AROUND);
    const bottom = Math.min(CELLS, y + AROUND + 1);
    for (let x = 0; x < CELLS; x++, i++) {
      const left = Math.max(0, x - AROUND);
      const right = Math.min(CELLS, x + AROUND + 1);
      const [upper, lower] = [top * width, bottom * width];
      const sum = sums[lower + right]! - sums[lower + left]! - sums[upper + right]! + sums[upper + left]!;
      contrast[i] = luma[i]! - sum / ((right - left) * (bottom - top));
    }
  }
  return contrast;
}
