import { logarithms, PATCH, summedPower } from '../fourier.ts';
import { nativeLuminance, type PadFace, type PadSignal } from '../signal.ts';

/** Radii of the searched rings, cycles per patch: coarser detail is the face itself. */
const RINGS = [
  [12, 30],
  [30, 62],
] as const;
/** Number of peaks that are averaged. */
const SPOTS = 8;
/**
 * Peak height of natural texture, natural logarithm, for one patch and for several (whose mean is smoother): the 99th
 * percentile of the bona fide faces of `dev`.
 */
const USUAL = { one: 2.9, several: 2.2 } as const;
/** Least distance from the axes: nearer peaks are traces of compression, resizing or sensor rows. */
const OFF_AXIS = 2;
/** Bits of the index of a column. */
const COLUMN = PATCH - 1;
const HALF = PATCH / 2;
/** Half sides of the square whose mean a peak is compared with, and of the hole in its middle. */
const NEAR = 6;
const HOLE = 2;

/**
 * Moiré, pixel grids and dot screens: peaks in the spectrum of the face's luminance that exceed those of natural texture
 * and lie neither on the axes nor on the grid of the picture's own JPEG. The value is the square root of the excess, as
 * its presence matters more than its size. NaN where the box is smaller than three quarters of a patch.
 */
export const moire: PadSignal = {
  name: 'moire',
  values: ['moire'],
  rising: true,
  measure: (face) => {
    const { pixels, pixelBox, from } = face;
    if (Math.min(pixelBox.width, pixelBox.height) < PATCH * 0.75) return [Number.NaN];
    const around = patchesAround(face);
    const mean = summedPower(around);
    const middle = face.middlePower();
    for (let at = 0; at < mean.length; at++) mean[at] = (mean[at]! + middle[at]!) / (1 + around.length);
    const logs = logarithms(mean, 1e-2);
    const usual = around.length === 0 ? USUAL.one : USUAL.several;
    const grid = (PATCH / 8) * (from.width / pixels.width);
    const heights = prominences(logs);
    const height = Math.max(...RINGS.map((ring) => strongest(heights, ring, grid)));
    return [Math.sqrt(Math.max(0, height - usual))];
  },
};

/** Four patches around the one in the middle of the face, where the box is large enough. */
function patchesAround({ pixels, pixelBox: box }: PadFace): Float32Array[] {
  const x = Math.max(0, box.width - PATCH) / 2;
  const y = Math.max(0, box.height - PATCH) / 2;
  if (Math.min(x, y) < PATCH / 4) return [];
  return [-y, y].flatMap((dy) =>
    [-x, x].map((dx) => nativeLuminance(pixels, { ...box, x: box.x + dx, y: box.y + dy }, PATCH)),
  );
}

/**
 * Each value of the left half, that of frequencies from 0 on, less the mean of its neighbourhood: of every second place in
 * the square less those in the hole. @returns rows of HALF values
 */
function prominences(logs: Float32Array): Float64Array {
  const [square, hole] = [sumsAround(logs, NEAR), sumsAround(logs, HOLE)];
  const count = (NEAR + 1) ** 2 - (HOLE + 1) ** 2;
  for (let row = 0, to = 0; row < logs.length; row += PATCH) {
    for (let at = row; at < row + HALF; at++, to++)
      square[to] = logs[at]! - (square[to]! - hole[to]!) / count;
  }
  return square;
}

/**
 * Sums of every second value of a square around each place of the left half; the sides of the whole continue at the
 * opposite ones. @returns rows of HALF values
 */
function sumsAround(values: Float32Array, reach: number): Float64Array {
  const across = new Float64Array(PATCH * HALF);
  for (let row = 0; row < PATCH; row++) {
    const [from, to] = [row * PATCH, row * HALF];
    // A sum is that of two places before, less the value that it leaves behind and with a further one.
    for (let at = 0; at < HALF; at++) {
      const begins = at < 2 ? -reach : reach;
      let sum = at < 2 ? 0 : across[to + at - 2]! - values[from + ((at - 2 - reach) & COLUMN)]!;
      for (let d = begins; d <= reach; d += 2) sum += values[from + ((at + d) & COLUMN)]!;
      across[to + at] = sum;
    }
  }
  const sums = new Float64Array(PATCH * HALF);
  for (let row = 0; row < PATCH; row++) {
    const begins = row < 2 ? -reach : reach;
    const [to, last] = [row * HALF, ((row - 2 - reach) & COLUMN) * HALF];
    for (let at = 0; row >= 2 && at < HALF; at++)
      sums[to + at] = sums[to + at - 2 * HALF]! - across[last + at]!;
    for (let d = begins; d <= reach; d += 2) {
      const from = ((row + d) & COLUMN) * HALF;
      for (let at = 0; at < HALF; at++) sums[to + at]! += across[from + at]!;
    }
  }
  return sums;
}

/** Mean height of the strongest peaks in a ring; one of each pair of opposite frequencies. */
function strongest(heights: Float64Array, [from, to]: readonly [number, number], grid: number): number {
  const best = new Float64Array(SPOTS);
  const columns = Array.from({ length: HALF - OFF_AXIS }, (_, i) => OFF_AXIS + i);
  const free = columns.filter((u) => !onGrid(u, grid));
  for (let v = -PATCH / 2; v < PATCH / 2; v++) {
    if (Math.abs(v) < OFF_AXIS || onGrid(v, grid)) continue;
    for (const u of free) {
      const square = u * u + v * v;
      if (square < from * from || square >= to * to) continue;
      const height = heights[(v & COLUMN) * HALF + u]!;
      if (height <= best[0]!) continue;
      best[0] = height;
      best.sort();
    }
  }
  return best.reduce((sum, height) => sum + height, 0) / SPOTS;
}

/** Whether a frequency is a multiple of that of the 8-pixel blocks of the encoded picture. */
function onGrid(frequency: number, grid: number): boolean {
  const times = Math.round(frequency / grid);
  return times !== 0 && Math.abs(frequency - times * grid) < 1.2;
}
