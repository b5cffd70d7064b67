import { type Crop, luminanceIn } from '../imaging/sampler.ts';
import type { Box } from '../types.ts';

/** Upright RGB pixels, 8 bits each, interleaved, row by row: 3 × width × height bytes. */
export interface RgbPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The box of the detector that the networks were trained with: ours, which begins at the brows, and the forehead. */
export function headBox({ x, y, width, height }: Box): Box {
  return { x: x - 0.05 * width, y: y - 0.46 * height, width: 1.1 * width, height: 1.32 * height };
}

/** A box about the same centre. */
export function scaled({ x, y, width, height }: Box, by: number): Box {
  const out = (1 - by) / 2;
  return { x: x + out * width, y: y + out * height, width: by * width, height: by * height };
}

/** The box enlarged about its centre as far as the picture reaches, then shifted into the picture. */
export function grownInside(picture: Pick<RgbPixels, 'width' | 'height'>, box: Box, times: number): Box {
  const [w, h] = [Math.max(1, box.width), Math.max(1, box.height)];
  const grown = Math.min(times, (picture.width - 1) / w, (picture.height - 1) / h);
  const [width, height] = [Math.max(1, w * grown), Math.max(1, h * grown)];
  const place = (centre: number, side: number, limit: number) =>
    Math.max(0, Math.min(limit - side, centre - side / 2));
  return {
    x: place(box.x + box.width / 2, width, picture.width),
    y: place(box.y + box.height / 2, height, picture.height),
    width,
    height,
  };
}

/**
 * Luminance (ITU-R BT.601), 0…255, of size × size pixels around the middle of the box, row by row, without resampling. The
 * edge of the picture is repeated outside.
 */
export function nativeLuminance({ data, width, height }: RgbPixels, box: Box, size: number): Float32Array {
  const left = Math.round(box.x + box.width / 2 - size / 2);
  const top = Math.round(box.y + box.height / 2 - size / 2);
  const from = { pixels: data, width, height };
  return luminanceIn(from, { a: 1, b: 0, tx: left, c: 0, d: 1, ty: top }, size, size, 'edge');
}

/**
 * The whole pixels of a box resampled bilinearly from the four nearest pixels, without low-pass filtering, as by OpenCV's
 * `resize` with `INTER_LINEAR`.
 * @param box inside the picture
 */
export function bilinearCrop(pixels: RgbPixels, box: Box, width: number, height: number): Crop {
  const columns = positions(box.x, box.width, width, pixels.width);
  const rows = positions(box.y, box.height, height, pixels.height);
  const plane = width * height;
  const data = new Float32Array(3 * plane);
  const from = pixels.data;
  for (let row = 0; row < height; row++) {
    const { low, high, part: down } = rows[row]!;
    const [above, below] = [3 * low * pixels.width, 3 * high * pixels.width];
    for (let column = 0; column < width; column++) {
      const x = columns[column]!;
      const [left, right, part, to] = [3 * x.low, 3 * x.high, x.part, row * width + column];
      for (let channel = 0; channel < 3; channel++) {
        const [near, far] = [left + channel, right + channel];
        const top = from[above + near]! + (from[above + far]! - from[above + near]!) * part;
        const bottom = from[below + near]! + (from[below + far]! - from[below + near]!) * part;
        data[channel * plane + to] = top + (bottom - top) * down;
      }
    }
  }
  return { width, height, data };
}

/** The two pixels on either side of each sample along one axis, and the weight of the second. */
function positions(start: number, side: number, count: number, limit: number) {
  const first = Math.max(0, Math.min(limit - 1, Math.floor(start)));
  const last = Math.max(first, Math.min(limit, Math.floor(start + side)) - 1);
  const step = (last - first + 1) / count;
  return Array.from({ length: count }, (_, i) => {
    const at = Math.max(first, Math.min(last, first + (i + 0.5) * step - 0.5));
    const low = Math.floor(at);
    return { low, high: Math.min(last, low + 1), part: at - low };
  });
}

/** The columns of each plane in reverse order. */
export function mirroredCrop({ width, height, data }: Crop): Crop {
  const flipped = data.map((_, i) => data[i - (i % width) + width - 1 - (i % width)]!);
  return { width, height, data: flipped };
}

/** A square of whole pixels; it may reach beyond the picture. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** The square about the centre of a box whose side is so many times the longer side of the box. */
export function squareAround({ x, y, width, height }: Box, times: number): Square {
  const side = Math.max(1, times * Math.max(width, height));
  const start = (from: number, length: number) => Math.trunc(from + length / 2 - side / 2);
  return { x: start(x, width), y: start(y, height), side: Math.trunc(side) };
}

/** What lies beyond the picture: its pixels mirrored at the edge (OpenCV's `BORDER_REFLECT_101`), or black. */
export type Beyond = 'mirrored' | 'black';

/**
 * A square resampled to size × size pixels: the mean of what each covers where it shrinks, as by OpenCV's `resize` with
 * `INTER_AREA`, bilinear where it grows. Rows are added up before columns: pixels are read in the order of the memory.
 */
export function filteredCrop(
  { data, width, height }: RgbPixels,
  { x, y, side }: Square,
  size: number,
  beyond: Beyond,
): Crop {
  const across = tapsOf({ first: x, side, limit: width }, size, beyond);
  const down = tapsOf({ first: y, side, limit: height }, size, beyond);
  const [left, right] = extentOf(across);
  const plane = size * size;
  const out = new Float32Array(3 * plane);
  const line = new Float32Array(3 * (right - left));
  for (let row = 0; row < size; row++) {
    const from = row * down.most;
    const weights = down.weights.subarray(from, from + down.counts[row]!);
    sumLines(line, weights, { data, first: 3 * (down.starts[row]! * width + left), stride: 3 * width });
    resampleLine(line, left, across, { out, at: row * size, plane });
  }
  return { width: size, height: size, data: out };
}

/** The weighted sum of lines of pixels, four of them at a time, which halves the writing. */
function sumLines(
  line: Float32Array,
  weights: Float64Array,
  { data, first, stride }: { data: Uint8Array; first: number; stride: number },
): void {
  line.fill(0);
  const [count, length] = [weights.length, line.length];
  let k = 0;
  let p = first;
  for (; k + 4 <= count; k += 4, p += 4 * stride) {
    const [a, b, c, d] = [weights[k]!, weights[k + 1]!, weights[k + 2]!, weights[k + 3]!];
    const [q, r, s] = [p + stride, p + 2 * stride, p + 3 * stride];
    for (let i = 0; i < length; i++)
      line[i]! += a * data[p + i]! + b * data[q + i]! + c * data[r + i]! + d * data[s + i]!;
  }
  for (; k < count; k++, p += stride) {
    const weight = weights[k]!;
    for (let i = 0; i < length; i++) line[i]! += weight * data[p + i]!;
  }
}

/** Resamples a line of pixels, which begins at the column `left`, into a row of the three planes. */
function resampleLine(
  line: Float32Array,
  left: number,
  { starts, counts, weights, most }: Taps,
  { out, at, plane }: { out: Float32Array; at: number; plane: number },
): void {
  for (let i = 0; i < starts.length; i++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let from = 3 * (starts[i]! - left);
    const end = i * most + counts[i]!;
    for (let k = i * most; k < end; k++, from += 3) {
      const weight = weights[k]!;
      red += weight * line[from]!;
      green += weight * line[from + 1]!;
      blue += weight * line[from + 2]!;
    }
    out[at + i] = red;
    out[plane + at + i] = green;
    out[2 * plane + at + i] = blue;
  }
}

/** The pixels of the picture that each resampled one is made of, along an axis. */
interface Taps {
  readonly starts: Int32Array;
  /** 0 for one that is black. */
  readonly counts: Int32Array;
  /** `most` for each. */
  readonly weights: Float64Array;
  readonly most: number;
}

/** The first column of all taps, and the one behind the last. */
function extentOf({ starts, counts }: Taps): [number, number] {
  const ends = starts.map((start, i) => (counts[i]! > 0 ? start + counts[i]! : 0));
  const [left, right] = [Math.min(...starts), Math.max(...ends)];
  return [left, Math.max(left, right)];
}

/** Of a square along an axis of a picture, which ends at `limit`. */
function tapsOf(
  { first, side, limit }: { first: number; side: number; limit: number },
  size: number,
  beyond: Beyond,
): Taps {
  const step = side / size;
  const most = Math.max(2, Math.ceil(step) + 1);
  const [starts, counts] = [new Int32Array(size), new Int32Array(size)];
  const weights = new Float64Array(size * most);
  const place = (at: number) => (beyond === 'mirrored' ? mirroredAt(first + at, limit) : first + at);
  for (let i = 0; i < size; i++) {
    const middle = (i + 0.5) * step;
    const start = Math.max(0, Math.floor(middle - Math.max(1, step) / 2 + 1e-9));
    const end = Math.min(side, start + most);
    let [low, high, sum] = [limit, -1, 0];
    for (let at = start; at < end; at++) {
      const to = place(at);
      sum += weightOf(at, middle, step);
      if (to < 0 || to >= limit) continue;
      low = Math.min(low, to);
      high = Math.max(high, to);
    }
    [starts[i], counts[i]] = [low, Math.max(0, high - low + 1)];
    for (let at = start; at < end; at++) {
      const to = place(at);
      if (to >= low && to <= high) weights[i * most + to - low]! += weightOf(at, middle, step) / sum;
    }
  }
  return { starts, counts, weights, most };
}

/** Weight of a pixel in the resampled one about `middle`: where it grows, of the two nearest, else what is covered of it. */
function weightOf(at: number, middle: number, step: number): number {
  if (step < 1) return Math.max(0, 1 - Math.abs(at + 0.5 - middle));
  return Math.max(0, Math.min(middle + step / 2, at + 1) - Math.max(middle - step / 2, at));
}

function mirroredAt(at: number, limit: number): number {
  const period = Math.max(1, 2 * (limit - 1));
  const along = ((at % period) + period) % period;
  return Math.min(along, period - along);
}
