import type { Sampler } from '../imaging/sampler.ts';
import type { Models } from '../stages/model.ts';
import type { Box } from '../types.ts';
import { type RgbPixels, squareView, type View } from './view.ts';

/**
 * One thing that tells a spoof from a face: a file of its own, a line in `cues.ts`. What its values mean is learned
 * (`evaluation/src/training/train-pad.ts`), and only what helps is computed in the service (`fusion.ts`).
 */
export interface PadSignal {
  readonly name: string;
  /** Name of each value, in order. */
  readonly values: readonly string[];
  /** Whether more of each value can only speak for a spoof: attacks are too few to be let learn otherwise. */
  readonly rising?: true;
  /** Networks without which there is nothing to measure. */
  readonly needs?: 'padNetworks';
  /** As many values as names; one that the picture cannot tell is NaN. */
  measure(face: PadFace): ArrayLike<number> | Promise<ArrayLike<number>>;
}

/** Networks that cues ask. */
export type PadModels = Pick<Models, 'detector' | 'features' | 'scene' | 'padNetworks'>;

/** What cues look at. */
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
  /** The face and a little around it, 96 × 96; made once. */
  view(): View;
}

/** Sides of `SpoofFace.view`: over the longer side of the box, and in pixels. */
const TIMES = 1.1;
const SIZE = 96;

/** @param box of the face, pixels of the full-size picture */
export function createPadFace(models: PadModels, from: Sampler, pixels: RgbPixels, box: Box): PadFace {
  const pixelBox = scaled(box, pixels.width / from.width);
  let made: View | undefined;
  const view = () => {
    made ??= squareView(pixels, pixelBox, TIMES, SIZE);
    return made;
  };
  return { models, from, box, pixels, pixelBox, view };
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** What a cue answers when the picture cannot tell. */
export function unknownValues(names: readonly string[]): number[] {
  return names.map(() => Number.NaN);
}
