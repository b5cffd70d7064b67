import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sigmoid } from '../maths.ts';

const WIDTH = 1024;

/** The weights with their provenance, written by `evaluation/src/training/train-mask.ts`. */
const model = z
  .object({ weights: z.array(z.number()).length(WIDTH), bias: z.number() })
  .parse(JSON.parse(readFileSync(new URL('../../../data/mask.json', import.meta.url), 'utf8')));

/** Probability from which a mask is reported as worn. */
export const MASK_THRESHOLD = 0.5;

/**
 * Probability (0…1, at even prior odds) that the face wears a mask: logistic regression on the features network.
 * @param features output of the features network for the aligned face, 1024 values
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
