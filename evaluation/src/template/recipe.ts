import type { TemplatePart, TemplateRecipe } from '@wajah/engine/training';
import { type Whitening, whiten } from './whiten.ts';

/** Network outputs of a face, its identity, and the region that decides its weight in the fit. */
export interface Answers {
  readonly identity: string;
  readonly region: string | undefined;
  readonly descriptor: Float32Array;
  readonly features: Float32Array;
}

/** Settings of one part of the templates. */
export interface PartPlan extends Whitening {
  readonly of: TemplatePart['of'];
  readonly root: boolean;
  readonly weight: number;
}

/**
 * @NOTE plan
 * Chosen by two-fold cross-validation over the people of dev, see docs/accuracy.md. The descriptor was trained for cosine
 * similarity, so only most of its mean is subtracted; its 192 values span 128 directions. Of the features, most of the mean
 * is subtracted and variances are scaled by the power of a quarter instead of a half, which generalises better.
 */
export const PLAN: readonly PartPlan[] = [
  { of: 'descriptor', root: false, centring: 0.7, exponent: 0, shrinkage: 0, keep: 128, weight: 6 },
  { of: 'features', root: true, centring: 0.9, exponent: 0.25, shrinkage: 0.1, keep: 128, weight: 1 },
];

/** Weight of faces with a region: press photos have few of them, and they are the first users. */
const REGION_WEIGHT = 3;

/** Fits the recipe without using identities. */
export function fitRecipe(faces: readonly Answers[], plan: readonly PartPlan[] = PLAN): TemplateRecipe {
  const weights = faces.map(({ region }) => (region === undefined ? 1 : REGION_WEIGHT));
  return plan.map((part) => {
    const rows = faces.map((face) => prepared(face[part.of], part.root));
    return { of: part.of, root: part.root, weight: part.weight, ...whiten({ rows, weights }, part) };
  });
}

/** Preparation as in the engine, before centring. */
function prepared(answer: Float32Array, root: boolean): Float32Array {
  const values = root ? answer.map((value) => Math.sqrt(Math.max(0, value))) : answer;
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}
