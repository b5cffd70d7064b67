import type { Sampler } from '../sampler.ts';
import type { Box } from '../types.ts';
import type { Models } from './model.ts';
import { CONTEXT_NAMES } from './spoof-context.ts';
import type { RgbPixels } from './spoof-crop.ts';
import { SPOOF_NAMES, spoofFeatures } from './spoof-features.ts';
import { spoofLook } from './spoof-look.ts';
import { spoofNetDoubt } from './spoof-nets.ts';

/** What each cue of the spoof measure looks at; a value that the picture cannot tell is NaN. */
export interface SpoofEvidence {
  /** Light, grain, texture, colour and spectrum: SURFACE_NAMES. */
  readonly surface: readonly number[];
  /** Straight edges and brightness around the face: CONTEXT_NAMES. */
  readonly context: readonly number[];
  /** Answers of the features network, 2 × 1024. */
  readonly look: ArrayLike<number>;
  /** Doubt of the installed spoof nets; null without them. */
  readonly nets: number | null;
}

/** Names of the surface's values, in order. */
export const SURFACE_NAMES: readonly string[] = SPOOF_NAMES.filter((name) => !CONTEXT_NAMES.includes(name));

/**
 * Measures a face for all cues.
 * @param box of the face, pixels of the full-size picture
 * @param pixels the picture, perhaps at a smaller size
 */
export async function spoofEvidence(
  models: Pick<Models, 'features' | 'spoofNets'>,
  from: Sampler,
  pixels: RgbPixels,
  box: Box,
): Promise<SpoofEvidence> {
  const features = spoofFeatures(pixels, scaled(box, pixels.width / from.width));
  const isContext = (_: number, i: number) => CONTEXT_NAMES.includes(SPOOF_NAMES[i]!);
  return {
    surface: features.filter((value, i) => !isContext(value, i)),
    context: features.filter(isContext),
    look: await spoofLook(models.features, from, box),
    nets: models.spoofNets ? await spoofNetDoubt(models.spoofNets, from, box) : null,
  };
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}
