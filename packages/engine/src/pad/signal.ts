import { type Crop, luminanceIn, type Sampler } from '../imaging/sampler.ts';
import type { Models } from '../runtime/model.ts';
import { memoize } from '../stages/maths.ts';
import type { Box } from '../types.ts';
import { PATCH, powerSpectrum } from './fourier.ts';

/**
 * A signal of presentation attack detection (PAD, ISO/IEC 30107-3): named values of one property of a face. Their weights
 * are learned by `evaluation/src/training/train-pad.ts`.
 */
export interface PadSignal {
  readonly name: string;
  /** Name of each value, in order. */
  readonly values: readonly string[];
  /** Whether a larger value can only speak for an attack, which the few attacks are not enough to learn. */
  readonly rising?: true;
  /** Networks without which there is nothing to measure. */
  readonly needs?: 'padNetworks';
  /** As many values as names; NaN where the picture does not determine a value. */
  measure(face: PadFace): ArrayLike<number> | Promise<ArrayLike<number>>;
}

/** Models that signals run. */
export type PadModels = Pick<Models, 'features' | 'scene' | 'padNetworks'>;

/** Input of a signal. */
export interface PadFace {
  readonly models: PadModels;
  /** Cuts crops out of the full-size picture. */
  readonly from: Sampler;
  /** Pixels of the full-size picture. */
  readonly box: Box;
  /** The picture, perhaps at a smaller size. */
  readonly pixels: RgbPixels;
  /** The box in `pixels`. */
  readonly pixelBox: Box;
  /** Luminance of the PATCH × PATCH pixels in the middle of the face, and its power spectrum; not to be changed. */
  readonly middle: () => Float32Array;
  readonly middlePower: () => Float32Array;
}

/** Input of the signals for one face. @param box of the face, pixels of the full-size picture */
export function createPadFace(models: PadModels, from: Sampler, pixels: RgbPixels, box: Box): PadFace {
  const by = pixels.width / from.width;
  const pixelBox = { x: box.x * by, y: box.y * by, width: box.width * by, height: box.height * by };
  const middle = memoize(() => nativeLuminance(pixels, pixelBox, PATCH));
  const middlePower = memoize(() => powerSpectrum(middle()));
  return { models, from, box, pixels, pixelBox, middle, middlePower };
}

/** Values of a signal that the picture does not determine. */
export function unknownValues(names: readonly string[]): number[] {
  return names.map(() => Number.NaN);
}

/** Upright RGB pixels, 8 bits each, interleaved, row by row: 3 × width × height bytes. */
export interface RgbPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
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
  rows.forEach((y, row) => {
    columns.forEach((x, column) => {
      const at = (line: number, place: number) => (line * pixels.width + place) * 3;
      const [a, b, c, d] = [at(y.low, x.low), at(y.low, x.high), at(y.high, x.low), at(y.high, x.high)];
      for (let channel = 0; channel < 3; channel++) {
        const of = (index: number) => pixels.data[index + channel]!;
        const top = of(a) + (of(b) - of(a)) * x.part;
        const bottom = of(c) + (of(d) - of(c)) * x.part;
        data[channel * plane + row * width + column] = top + (bottom - top) * y.part;
      }
    });
  });
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

/** The box of the detector that the networks were trained with: ours, which begins at the brows, and the forehead. */
export function detectorBox({ x, y, width, height }: Box): Box {
  return { x: x - 0.05 * width, y: y - 0.46 * height, width: 1.1 * width, height: 1.32 * height };
}
