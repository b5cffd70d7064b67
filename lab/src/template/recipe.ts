import type { EmbedderVectors, TemplatePart, TemplateRecipe } from '@wajah/engine/training';
import { type Whitening, whiten } from './whiten.ts';

/** Vectors of the embedders for a face, its identity, and the region that decides its weight in the fit. */
export interface Answers extends EmbedderVectors {
  readonly identity: string;
  readonly region: string | undefined;
}

/** Settings of one part of the templates. */
export interface PartPlan extends Whitening {
  readonly of: TemplatePart['of'];
  readonly weight: number;
}

/**
 * @NOTE plan
 * Chosen by two-fold cross-validation over the people of dev, see docs/accuracy.md. The descriptor was trained for cosine
 * similarity, so only most of its mean is subtracted; its 192 values span 128 directions. The pooled values that it is
 * computed from are whitened, which weighs directions that the descriptor makes little of (lab/results/decisions/0057.json).
 */
export const PLAN: readonly PartPlan[] = [
  { of: 'descriptor', centring: 0.7, exponent: 0, shrinkage: 0, keep: 128, weight: 6 },
  { of: 'pooled', centring: 0.9, exponent: 0.5, shrinkage: 0.1, keep: 96, weight: 1 },
];

/** Vectors of the second embedder of the pack `plus` (docs/adr/0063), beside the parts of the built-in pack. */
export const SECOND_PLAN: readonly PartPlan[] = [
  { of: 'second', centring: 1, exponent: 0.25, shrinkage: 0, keep: 96, weight: 10 },
];

/** Weight of faces with a region: press photos have few of them, and they are the first users. */
const REGION_WEIGHT = 3;

/** Fits the recipe without using identities. */
export function fitRecipe(faces: readonly Answers[], plan: readonly PartPlan[] = PLAN): TemplateRecipe {
  const weights = faces.map(({ region }) => (region === undefined ? 1 : REGION_WEIGHT));
  return plan.map((part) => {
    const rows = faces.map((face) => unitLength(face[part.of]!));
    return { of: part.of, weight: part.weight, ...whiten({ rows, weights }, part) };
  });
}

/** As in the engine, before centring. */
function unitLength(values: Float32Array): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}
