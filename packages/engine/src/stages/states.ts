import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The curves of eyes and mouth as `evaluation/src/train-states.ts` writes them, with where they came from. */
export const states = z
  .object({
    /** Probability of open = sigmoid(slope × (openness − middle)). */
    eyes: z.object({ middle: z.number(), slope: z.number().positive() }),
    mouth: z.object({ middle: z.number(), slope: z.number().positive() }),
  })
  .parse(JSON.parse(readFileSync(new URL('../../data/states.json', import.meta.url), 'utf8')));
