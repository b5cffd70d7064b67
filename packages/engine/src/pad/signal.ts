import type { Sampler } from '../imaging/sampler.ts';
import type { Models } from '../runtime/model.ts';
import { memoize } from '../stages/memoize.ts';
import type { Box } from '../types.ts';
import { PATCH, powerSpectrum } from './fourier.ts';
import { nativeLuminance, type RgbPixels } from './view.ts';

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
