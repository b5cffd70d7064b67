import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Box } from '../types.ts';
import type { RgbPixels } from './spoof-crop.ts';
import { SPOOF_NAMES, spoofFeatures } from './spoof-features.ts';

const column = z.array(z.number());

/** The weights as `evaluation/src/train-spoof.ts` writes them, with where they came from. */
const model = z
  .object({
    names: z.array(z.string()),
    mean: column,
    spread: column,
    weights: column,
    bias: z.number(),
    threshold: z.number().min(0).max(1),
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/spoof.json', import.meta.url), 'utf8')));

/** Found out here, said on use: the training itself must be able to start from weights of other features. */
const fits = [model.names, model.mean, model.spread, model.weights].every(
  ({ length }, i) => length === SPOOF_NAMES.length && (i > 0 || model.names.join() === SPOOF_NAMES.join()),
);

/** Score at or above which a face counts as a spoof: the operating point that the training run chose. */
export const SPOOF_THRESHOLD = model.threshold;

/** Beyond this many standard deviations a feature says no more: it keeps odd pictures from extreme scores. */
const CLAMP = 4;

/**
 * Probability (0…1, genuine and spoof being equally likely beforehand) that the face is a picture, a screen or
 * a mask. A first, weak measure: docs/accuracy.md says how weak. A feature that the picture cannot tell counts
 * as the average.
 * @param pixels upright picture, with what surrounds the face
 * @param box of the face, in these pixels
 * @throws Error when the weights belong to other features
 */
export function spoofScore(pixels: RgbPixels, box: Box): { score: number } {
  if (!fits) throw new Error('spoof.json was trained on other features than these: train it again');
  const features = spoofFeatures(pixels, box);
  let odds = model.bias;
  for (let i = 0; i < features.length; i++) odds += model.weights[i]! * deviation(features[i]!, i);
  return { score: 1 / (1 + Math.exp(-odds)) };
}

function deviation(value: number, i: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-CLAMP, Math.min(CLAMP, (value - model.mean[i]!) / model.spread[i]!));
}
