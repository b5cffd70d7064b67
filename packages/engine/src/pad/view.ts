import type { Box } from '../types.ts';

/** Upright RGB pixels, 8 bits each, interleaved, row by row: 3 × width × height bytes. */
export interface RgbPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A square view in JPEG's YCbCr: y 0…255, cb and cr −128…128. */
export interface View {
  readonly size: number;
  readonly y: Float32Array;
  readonly cb: Float32Array;
  readonly cr: Float32Array;
}

/**
 * View of a square around the centre of the box, `times` its longer side, resampled to size × size. The edge of the picture
 * is repeated outside.
 */
export function squareView(pixels: RgbPixels, box: Box, times: number, size: number): View {
  const side = Math.max(box.width, box.height, 1) * times;
  return viewOf(pixels, box.x + box.width / 2 - side / 2, box.y + box.height / 2 - side / 2, side, size);
}

/** View of the middle of the box, size × size of the picture's own pixels, without resampling. */
export function nativeView(pixels: RgbPixels, box: Box, size: number): View {
  const left = Math.round(box.x + box.width / 2 - size / 2);
  const top = Math.round(box.y + box.height / 2 - size / 2);
  return viewOf(pixels, left, top, size, size);
}

/** Whether a view has (nearly) no colour. */
export function isGreyscale(view: View): boolean {
  let sum = 0;
  for (let i = 0; i < view.cb.length; i++) sum += Math.abs(view.cb[i]!) + Math.abs(view.cr[i]!);
  return sum / view.cb.length < 2;
}

function viewOf(pixels: RgbPixels, left: number, top: number, side: number, size: number): View {
  const columns = taps(left, side, size, pixels.width);
  const rows = taps(top, side, size, pixels.height);
  const view = emptyView(size);
  const sum = [0, 0, 0] as [number, number, number];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      sample(pixels, columns[column]!, rows[row]!, sum);
      const at = row * size + column;
      const [r, g, b] = sum;
      view.y[at] = 0.299 * r + 0.587 * g + 0.114 * b;
      view.cb[at] = -0.168736 * r - 0.331264 * g + 0.5 * b;
      view.cr[at] = 0.5 * r - 0.418688 * g - 0.081312 * b;
    }
  }
  return view;
}

function emptyView(size: number): View {
  const plane = () => new Float32Array(size * size);
  return { size, y: plane(), cb: plane(), cr: plane() };
}

/** Source indices along one axis that are averaged for one target index. */
type Taps = Int32Array;

/** At most 4 evenly spaced samples per step: enough against aliasing at the sizes used here, at a bounded cost. */
function taps(start: number, side: number, size: number, limit: number): Taps[] {
  const step = side / size;
  const count = Math.max(1, Math.min(4, Math.round(step)));
  return Array.from({ length: size }, (_, i) =>
    Int32Array.from({ length: count }, (_, k) => {
      const at = Math.floor(start + (i + (k + 0.5) / count) * step);
      return Math.max(0, Math.min(limit - 1, at));
    }),
  );
}

function sample(pixels: RgbPixels, columns: Taps, rows: Taps, sum: [number, number, number]): void {
  let r = 0;
  let g = 0;
  let b = 0;
  for (const y of rows) {
    for (const x of columns) {
      const at = (y * pixels.width + x) * 3;
      r += pixels.data[at]!;
      g += pixels.data[at + 1]!;
      b += pixels.data[at + 2]!;
    }
  }
  const count = rows.length * columns.length;
  sum[0] = r / count;
  sum[1] = g / count;
  sum[2] = b / count;
}
