import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sigmoid } from './logistic.ts';

const WIDTH = 1024;

/** The weights as `evaluation/src/training/train-mask.ts` writes them, with where they came from. */
const model = z
  .object({ weights: z.array(z.number()).length(WIDTH), bias: z.number() })
  .parse(JSON.parse(readFileSync(new URL('../../../data/mask.json', import.meta.url), 'utf8')));

/** Probability at or above which a mask counts as worn. */
export const MASK_THRESHOLD = 0.5;

/**
 * Probability (0…1, both being equally likely beforehand) that the face wears a mask: a logistic regression on
 * the features network.
 * @param features the 1024 values of the features network on the aligned face
 * @throws RangeError for another number of values
 */
export function maskScore(features: Float32Array): number {
  if (features.length !== WIDTH) {
    throw new RangeError(`mask: ${WIDTH} features are needed, found ${features.length}`);
  }
  let odds = model.bias;
  for (let i = 0; i < WIDTH; i++) odds += model.weights[i]! * features[i]!;
  return sigmoid(odds);
}
