import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { EngineError } from '../errors.ts';

/** One part of a template: a vector of the embedder, or that of the second one, and its projection. */
export interface TemplatePart {
  readonly of: 'descriptor' | 'pooled' | 'second';
  /** Subtracted from the unit-length vector; as long as that. */
  readonly centre: Float32Array;
  /** Whitening matrix, row-major: rows of `centre.length` values, one per value of the part in the template. */
  readonly matrix: Float32Array;
  /** Share of this part's cosine in the inner product of two templates, relative to the other parts' weights. */
  readonly weight: number;
}

/** How a pack computes templates from the vectors of its embedder. */
export type TemplateRecipe = readonly TemplatePart[];

const floats = z.base64().transform((text) => {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
});

/** A recipe with its provenance, written by `lab/src/training/fit-template.ts`; float32, little-endian. */
const recipeSchema = z.object({
  parts: z
    .array(
      z
        .object({
          of: z.enum(['descriptor', 'pooled', 'second']),
          centre: floats,
          matrix: floats,
          weight: z.number().positive(),
        })
        .refine(({ centre, matrix }) => matrix.length > 0 && matrix.length % centre.length === 0, {
          message: 'the matrix needs whole rows as long as the centre',
        }),
    )
    .min(1),
});

/** Reads a recipe file. @throws EngineError `pack` */
export async function readRecipe(file: URL | string): Promise<TemplateRecipe> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new EngineError('pack', 'The template recipe of the pack cannot be read.', { cause });
  }
  const parsed = recipeSchema.safeParse(value);
  if (parsed.success) return parsed.data.parts;
  throw new EngineError('pack', `The template recipe is not valid: ${z.prettifyError(parsed.error)}`);
}

/** Length of a template of the recipe. */
export function dimensionsOf(recipe: TemplateRecipe): number {
  return recipe.reduce((sum, { centre, matrix }) => sum + matrix.length / centre.length, 0);
}
