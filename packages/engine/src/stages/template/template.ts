import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { EngineError } from '../../errors.ts';

/** One part of a template: a vector of the embedder and its projection. */
export interface TemplatePart {
  readonly of: 'descriptor' | 'pooled';
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

/** A recipe with its provenance, written by `evaluation/src/training/fit-template.ts`; float32, little-endian. */
const recipeSchema = z.object({
  parts: z
    .array(
      z
        .object({
          of: z.enum(['descriptor', 'pooled']),
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

/**
 * Unit-length template: each part is centred, whitened by its matrix and brought to unit length, then all are weighted
 * and concatenated. The inner product of two templates is the weighted mean of the parts' cosines.
 * @param vectors of the embedder
 * @throws RangeError for a vector of another length than the recipe's
 */
export function applyRecipe(
  recipe: TemplateRecipe,
  vectors: Readonly<Partial<Record<TemplatePart['of'], Float32Array>>>,
): Float32Array {
  const template = new Float32Array(dimensionsOf(recipe));
  let at = 0;
  for (const part of recipe) {
    const values = projected(part, vectors[part.of]);
    const by = Math.sqrt(part.weight);
    for (const value of values) template[at++] = value * by;
  }
  return toUnitLength(template);
}

function projected(
  { of, centre, matrix }: TemplatePart,
  vector: Float32Array = new Float32Array(),
): Float32Array {
  const width = centre.length;
  if (vector.length !== width) {
    throw new RangeError(`template: ${width} values of ${of} are needed, found ${vector.length}`);
  }
  const from = toUnitLength(vector);
  for (let i = 0; i < width; i++) from[i]! -= centre[i]!;
  const to = new Float32Array(matrix.length / width);
  // Sums of four rows at a time: each waits for its own last addition.
  for (let row = 0; row < to.length; row += 4) {
    const [a, b, c, d] = [row, row + 1, row + 2, row + 3].map((one) => Math.min(one, to.length - 1) * width);
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
    for (let i = 0; i < width; i++) {
      const value = from[i]!;
      sumA += matrix[a! + i]! * value;
      sumB += matrix[b! + i]! * value;
      sumC += matrix[c! + i]! * value;
      sumD += matrix[d! + i]! * value;
    }
    to.set([sumA, sumB, sumC, sumD].slice(0, to.length - row), row);
  }
  return toUnitLength(to);
}

/** The vector scaled to length 1; zeros stay zeros. */
export function toUnitLength(values: Float32Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const by = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return values.map((value) => value * by);
}
