import { z } from 'zod';
import { probabilityBy, readLearned, regressionSchema } from './learned.ts';
import { sigmoid } from './maths.ts';
import { distance3d, type Mesh } from './mesh/mesh.ts';

/**
 * What leaves so little of a face that many strangers are taken for one: the embedder itself tells it, by logistic
 * regressions on its values. `covered`: the eyes, by something that nobody sees through. `squeezed`: in width or in height.
 */
type UnclearKind = 'blurred' | 'dark' | 'covered' | 'squeezed';

/** Probability of each kind, 0…1, at even prior odds. */
export type Unclear = Readonly<Record<UnclearKind, number>>;

/** Written by `lab/src/training/train-unclear.ts`. */
const schema = z.object({
  blurred: regressionSchema,
  dark: regressionSchema,
  covered: regressionSchema,
  squeezed: regressionSchema.optional(),
});

/** By the values that it is told from, those of `FaceVectors` of the same name; `features` do not tell a squeezed width. */
const MODELS = {
  map: readLearned('unclear-map.json', schema),
  features: readLearned('unclear-features.json', schema),
} as const;

/**
 * Probability from which a face counts as of the kind. On `dev` 12 of 2,101 bona fide faces, and of painted sunglasses with a
 * mask 97 %, of everything else 98 % and more.
 */
export const UNCLEAR_LIMIT = 0.6;

/**
 * That of `dark`: on `dev`, dark skin at a fifth of the light reaches 0.84, where none of its strangers match, and every
 * portrait at 6 % of the light is above.
 */
export const DARK_LIMIT = 0.85;

/** Between the brows, and the upper lip, which stays where it is as the mouth opens. */
const BROWS_TO_LIP = [8, 13] as const;
/** Outer corners of the eyes. */
const EYE_TO_EYE = [33, 263] as const;

/**
 * Probability that a face is squeezed in height, by its proportions in space, which a turn of the head changes little: a
 * logistic regression on portraits of `dev` squeezed to 1.83:1 and 2:1. From 0.6 on are 460 of 462 of the former, 195 of
 * 202 at 1.5:1, and 1 of 2,872 faces as taken.
 */
function flattened(mesh: Mesh): number {
  return sigmoid(37.27 - (56.21 * distance3d(mesh, ...BROWS_TO_LIP)) / distance3d(mesh, ...EYE_TO_EYE));
}

/** @throws RangeError for another number of values */
export function unclearOf(of: keyof typeof MODELS, values: Float32Array, mesh: Mesh): Unclear {
  const probability = (kind: UnclearKind) => {
    const model = MODELS[of][kind];
    return model ? probabilityBy(model, values, ['unclear', of]) : 0;
  };
  return {
    blurred: probability('blurred'),
    dark: probability('dark'),
    covered: probability('covered'),
    squeezed: Math.max(probability('squeezed'), flattened(mesh)),
  };
}
