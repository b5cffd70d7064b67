import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sigmoid } from './maths.ts';

/** A logistic regression on the values of a network. */
export const regressionSchema = z.object({ weights: z.array(z.number()), bias: z.number() });

/** Learned parameters, with their provenance. @param file of the folder `data` */
export function readLearned<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  return schema.parse(JSON.parse(readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8')));
}

/**
 * Probability, 0…1, at even prior odds.
 * @param what it tells, and from which values, as errors say it
 * @throws RangeError for another number of values
 */
export function probabilityBy(
  { weights, bias }: z.output<typeof regressionSchema>,
  values: Float32Array,
  [what, of]: readonly [what: string, of: string],
): number {
  if (values.length !== weights.length) {
    throw new RangeError(`${what}: ${weights.length} values of ${of} are needed, found ${values.length}`);
  }
  let odds = bias;
  for (let i = 0; i < values.length; i++) odds += weights[i]! * values[i]!;
  return sigmoid(odds);
}
