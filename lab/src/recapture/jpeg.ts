import type { Canvas } from './canvas.ts';

/** Luminance table of ITU-T T.81, annex K.1. */
const LUMINANCE = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
/** Chrominance table of the same annex (K.2): its upper left corner, 99 elsewhere. */
const CHROMINANCE = LUMINANCE.map((_, i) => {
  const corner = [
    [17, 18, 24, 47],
    [18, 21, 26, 66],
    [24, 26, 56, 99],
    [47, 66, 99, 99],
  ];
  return corner[i >> 3]?.[i & 7] ?? 99;
});

const BASIS = Float64Array.from({ length: 64 }, (_, i) => {
  const frequency = i >> 3;
  const scale = frequency === 0 ? Math.SQRT1_2 / 2 : 0.5;
  return scale * Math.cos((((i & 7) * 2 + 1) * frequency * Math.PI) / 16);
});

/** Applies JPEG quantisation in place: quality 1…100 as in libjpeg, chroma subsampled by two. */
export function compress(canvas: Canvas, quality: number): void {
  const { width, height } = canvas;
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const table = (base: readonly number[]) =>
    base.map((value) => Math.max(1, Math.min(255, Math.floor((value * percent + 50) / 100))));
  const [r, g, b] = canvas.planes;
  const y = r.map((value, i) => 0.299 * value + 0.587 * g[i]! + 0.114 * b[i]! - 128);
  const cb = r.map((value, i) => -0.168736 * value - 0.331264 * g[i]! + 0.5 * b[i]!);
  const cr = r.map((value, i) => 0.5 * value - 0.418688 * g[i]! - 0.081312 * b[i]!);
  quantise(y, width, height, table(LUMINANCE));
  for (const plane of [cb, cr]) halved(plane, width, height, table(CHROMINANCE));
  for (let i = 0; i < r.length; i++) {
    r[i] = y[i]! + 128 + 1.402 * cr[i]!;
    g[i] = y[i]! + 128 - 0.344136 * cb[i]! - 0.714136 * cr[i]!;
    b[i] = y[i]! + 128 + 1.772 * cb[i]!;
  }
}

function halved(plane: Float32Array, width: number, height: number, table: readonly number[]): void {
  const w = width >> 1;
  const h = height >> 1;
  const small = new Float32Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const at = 2 * y * width + 2 * x;
      small[y * w + x] = (plane[at]! + plane[at + 1]! + plane[at + width]! + plane[at + width + 1]!) / 4;
    }
  }
  quantise(small, w, h, table);
  for (let y = 0; y < 2 * h; y++) {
    for (let x = 0; x < 2 * w; x++) plane[y * width + x] = small[(y >> 1) * w + (x >> 1)]!;
  }
}

/** Quantises whole 8 × 8 blocks; a remainder at the right and lower edge is unchanged. */
function quantise(plane: Float32Array, width: number, height: number, table: readonly number[]): void {
  const block = new Float64Array(64);
  for (let top = 0; top + 8 <= height; top += 8) {
    for (let left = 0; left + 8 <= width; left += 8) {
      for (let i = 0; i < 64; i++) block[i] = plane[(top + (i >> 3)) * width + left + (i & 7)]!;
      const waves = turn(turn(block, false), false);
      const kept = waves.map((value, i) => Math.round(value / table[i]!) * table[i]!);
      const back = turn(turn(kept, true), true);
      for (let i = 0; i < 64; i++) plane[(top + (i >> 3)) * width + left + (i & 7)] = back[i]!;
    }
  }
}

/** One-dimensional DCT (or its inverse) of each row, written as columns: applied twice, it is that of the block. */
function turn(block: Float64Array, back: boolean): Float64Array {
  const out = new Float64Array(64);
  for (let row = 0; row < 8; row++) {
    for (let k = 0; k < 8; k++) {
      let sum = 0;
      for (let i = 0; i < 8; i++) sum += block[row * 8 + i]! * BASIS[back ? i * 8 + k : k * 8 + i]!;
      out[k * 8 + row] = sum;
    }
  }
  return out;
}
