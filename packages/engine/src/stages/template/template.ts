import { dimensionsOf, type TemplatePart, type TemplateRecipe } from '../../packs/recipe.ts';
import { toUnitLength } from '../../similarity.ts';

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
