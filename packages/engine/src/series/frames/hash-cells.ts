import type { AlignedFaceImage } from '../../types.ts';

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

/** Samples the cells of an image. @param mirrored samples the mirror image */
export function cellsOf(image: AlignedFaceImage, mirrored = false): Cells {
  const luma = new Float32Array(CELLS * CELLS);
  const usable = new Uint8Array(CELLS * CELLS).fill(1);
  const samples = CELLS * FINE;
  const unit = (IMAGE_SIDE * REACH) / IMAGE_REACH;
  const middle = (IMAGE_SIDE - 1) / 2;
  for (let row = 0; row < samples; row++) {
    const v = (row + 0.5) / samples - 0.5;
    for (let column = 0; column < samples; column++) {
      const along = (column + 0.5) / samples - 0.5;
      const u = mirrored ? -along : along;
      const cell = Math.floor(row / FINE) * CELLS + Math.floor(column / FINE);
      addSample(image, middle + u * unit, middle + v * unit, luma, usable, cell);
    }
  }
  for (const [i, value] of luma.entries()) {
    const mean = value / FINE ** 2;
    luma[i] = mean;
    if (mean < DARKEST || mean > BRIGHTEST) usable[i] = 0;
  }
  return { contrast: contrastOf(luma), usable };
}

/** Bilinear; the edge is repeated outside. */
function addSample(
  { luma, inside }: AlignedFaceImage,
  x: number,
  y: number,
  sums: Float32Array,
  usable: Uint8Array,
  cell: number,
): void {
  const last = IMAGE_SIDE - 1.001;
  const cx = Math.max(0, Math.min(last, x));
  const cy = Math.max(0, Math.min(last, y));
  const [left, top] = [cx | 0, cy | 0];
  const [fx, fy] = [cx - left, cy - top];
  const at = top * IMAGE_SIDE + left;
  const upper = luma[at]! + (luma[at + 1]! - luma[at]!) * fx;
  const lower = luma[at + IMAGE_SIDE]! + (luma[at + IMAGE_SIDE + 1]! - luma[at + IMAGE_SIDE]!) * fx;
  sums[cell]! += upper + (lower - upper) * fy;
  if (inside[at] === 0) usable[cell] = 0;
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
  return luma.map((value, i) => {
    const [x, y] = [i % CELLS, Math.floor(i / CELLS)];
    const [left, right] = [Math.max(0, x - AROUND), Math.min(CELLS, x + AROUND + 1)];
    const [top, bottom] = [Math.max(0, y - AROUND) * width, Math.min(CELLS, y + AROUND + 1) * width];
    const sum = sums[bottom + right]! - sums[bottom + left]! - sums[top + right]! + sums[top + left]!;
    return value - sum / (((right - left) * (bottom - top)) / width);
  });
}
