import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { StateEstimate } from '../../types.ts';
import { sigmoid } from '../maths.ts';

/** Weights of eyes and mouth with their provenance, written by `evaluation/src/training/train-states.ts`. */
export const states = z
  .object({
    /** P(open) = sigmoid(slope × (openness − middle) + what the difference from the other eye adds). */
    eyes: z.object({
      middle: z.number(),
      slope: z.number().positive(),
      /** Log odds per openness of difference beyond `from`; divided by e at a yaw of `within` degrees. */
      difference: z.object({
        weight: z.number().nonnegative(),
        from: z.number().nonnegative(),
        within: z.number().positive(),
      }),
    }),
    /** P(open) = sigmoid(openness × its weight + contrast × its weight + bias). */
    mouth: z.object({
      openness: z.number().positive(),
      contrast: z.number().positive(),
      bias: z.number(),
    }),
  })
  .parse(JSON.parse(readFileSync(new URL('../../../data/states.json', import.meta.url), 'utf8')));

/**
 * Log odds from which the first passes decide. Further passes change them by 1.5 (mouth) and 1.1 (eyes; root mean square
 * on `dev`). Of 2,376 states of 792 faces there one differs: of a mouth that all passes call open with a probability of 0.52.
 */
const CLEAR = 4;

/** Whether the states are so likely that further passes would not change them. */
export function areClear(...estimates: readonly StateEstimate<string>[]): boolean {
  return estimates.every(({ score }) => score >= sigmoid(CLEAR));
}

/** The likelier state and its probability. @param odds log odds (natural logarithm) of "open" */
export function estimateFromOdds(odds: number): StateEstimate<'open' | 'closed'> {
  const open = sigmoid(odds);
  return open >= 0.5 ? { state: 'open', score: open } : { state: 'closed', score: 1 - open };
}
