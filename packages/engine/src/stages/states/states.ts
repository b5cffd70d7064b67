import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The curves of eyes and mouth as `evaluation/src/training/train-states.ts` writes them, with where they came from. */
export const states = z
  .object({
    /** Probability of open = sigmoid(slope × (openness − middle)). */
    eyes: z.object({ middle: z.number(), slope: z.number().positive() }),
    /** Probability of open = sigmoid(openness × its weight + contrast × its weight + bias). */
    mouth: z.object({
      openness: z.number().positive(),
      contrast: z.number().positive(),
      bias: z.number(),
    }),
  })
  .parse(JSON.parse(readFileSync(new URL('../../../data/states.json', import.meta.url), 'utf8')));
