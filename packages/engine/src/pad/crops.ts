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

export function isInside({ x, y, side }: Square, { width, height }: RgbPixels): boolean {
  return x >= 0 && y >= 0 && x + side <= width && y + side <= height;
}

/**
 * A square resampled to size × size pixels: the mean of what each covers where it shrinks, as by OpenCV's `resize` with
 * `INTER_AREA`, bilinear where it grows.
 * @param beyond what lies beyond the picture: its pixels mirrored at the edge (`BORDER_REFLECT_101`), or black
 */
export function filteredCrop(
  { data, width, height }: RgbPixels,
  { x, y, side }: Square,
  size: number,
  beyond: 'mirrored' | 'black',
): Crop {
  const taps = tapsOf(side, size);
  const place = (at: number, limit: number) => {
    if (beyond === 'mirrored') return mirroredAt(at, limit);
    return at < limit ? at : -1;
  };
  const columns = Int32Array.from({ length: side }, (_, i) => place(x + i, width));
  const plane = size * size;
  const out = new Float32Array(3 * plane);
  const line = new Float32Array(3 * size);
  for (let below = 0; below < side; below++) {
    const row = place(y + below, height);
    if (row < 0) continue;
    resampleLine(data, row * width, columns, taps, line);
    for (let i = taps.firstOf[below]!; i <= taps.lastOf[below]!; i++) {
      const weight = taps.weights[i * taps.most + below - taps.starts[i]!]!;
      for (let channel = 0; channel < 3; channel++) {
        const [from, to] = [channel * size, channel * plane + i * size];
        for (let column = 0; column < size; column++) out[to + column]! += weight * line[from + column]!;
      }
    }
  }
  return { width: size, height: size, data: out };
}

function mirroredAt(at: number, limit: number): number {
  const period = Math.max(1, 2 * (limit - 1));
  const along = ((at % period) + period) % period;
  return Math.min(along, period - along);
}

/** How each of `size` pixels along an axis is made of those of a square. */
interface Taps {
  /** First pixel of the square that each is made of. */
  readonly starts: Int32Array;
  /** Weights of the pixels from there on, `most` for each. */
  readonly weights: Float32Array;
  readonly most: number;
  /** First and last of the `size` pixels that a pixel of the square is part of. */
  readonly firstOf: Int32Array;
  readonly lastOf: Int32Array;
}

/** Resamples a line of pixels into the planes of one line. @param columns of the square; below 0: black */
function resampleLine(
  data: Uint8Array,
  start: number,
  columns: Int32Array,
  { starts, weights, most }: Taps,
  line: Float32Array,
): void {
  const size = starts.length;
  for (let i = 0; i < size; i++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    const from = starts[i]!;
    const end = Math.min(columns.length, from + most);
    for (let k = from; k < end; k++) {
      const column = columns[k]!;
      if (column < 0) continue;
      const weight = weights[i * most + k - from]!;
      const at = 3 * (start + column);
      red += weight * data[at]!;
      green += weight * data[at + 1]!;
      blue += weight * data[at + 2]!;
    }
    line[i] = red;
    line[size + i] = green;
    line[2 * size + i] = blue;
  }
}

function tapsOf(side: number, size: number): Taps {
  const step = side / size;
  const most = Math.max(2, Math.ceil(step) + 1);
  const starts = new Int32Array(size);
  const weights = new Float32Array(size * most);
  const firstOf = new Int32Array(side).fill(size);
  const lastOf = new Int32Array(side).fill(-1);
  for (let i = 0; i < size; i++) {
    // Where it grows, each is made of the two nearest: a triangle as wide as two pixels of the square.
    const middle = (i + 0.5) * step;
    const [from, to] = step < 1 ? [middle - 0.5, middle + 1] : [middle - step / 2, middle + step / 2];
    const start = Math.max(0, Math.min(side - 1, Math.floor(from + 1e-9)));
    starts[i] = start;
    let sum = 0;
    for (let k = 0; k < most && start + k < side; k++) {
      const at = start + k;
      const weight =
        step < 1
          ? Math.max(0, 1 - Math.abs(at + 0.5 - middle))
          : Math.max(0, Math.min(to, at + 1) - Math.max(from, at));
      weights[i * most + k] = weight;
      sum += weight;
      if (weight === 0) continue;
      firstOf[at] = Math.min(firstOf[at]!, i);
      lastOf[at] = i;
    }
    for (let k = 0; k < most; k++) weights[i * most + k]! /= sum;
  }
  return { starts, weights, most, firstOf, lastOf };
}
