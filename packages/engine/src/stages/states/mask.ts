import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sigmoid } from '../maths.ts';

/** Weights with their provenance, written by `evaluation/src/training/train-mask.ts`. */
const schema = z.object({ weights: z.array(z.number()), bias: z.number() });

/** What a mask is told from, and the file of its weights. */
const MODELS = {
  /** Statistics of the built-in embedder's last feature map, 512 values. */
  map: read('mask-map.json'),
  /** Output of the features network for the aligned face, 1024 values: where the embedder is another pack's. */
  features: read('mask-features.json'),
} as const;

function read(file: string) {
  return schema.parse(JSON.parse(readFileSync(new URL(`../../../data/${file}`, import.meta.url), 'utf8')));
}

/** Probability from which a mask is reported as worn. */
export const MASK_THRESHOLD = 0.5;

/**
 * Probability (0…1, at even prior odds) that the face wears a mask: logistic regression.
 * @throws RangeError for another number of values
 */
export function maskScore(of: keyof typeof MODELS, values: Float32Array): number {
  const { weights, bias } = MODELS[of];
  if (values.length !== weights.length) {
    throw new RangeError(`mask: ${weights.length} values of ${of} are needed, found ${values.length}`);
  }
  let odds = bias;
  for (let i = 0; i < values.length; i++) odds += weights[i]! * values[i]!;
  return sigmoid(odds);
}
