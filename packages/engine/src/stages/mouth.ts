import type { Sampler } from '../sampler.ts';
import type { Judged } from '../types.ts';
import { judgeOdds } from './logistic.ts';
import { gapOf, type Mesh } from './mesh.ts';
import { mouthShade } from './mouth-shade.ts';
import { states } from './states.ts';

/** Inner edge of the upper and lower lip, and the two inner corners. */
const LIPS = [13, 14] as const;
const CORNERS = [78, 308] as const;
/** Top of the forehead and chin. */
const FACE = [10, 152] as const;

/**
 * Square roots of the gap of the lips over the width of the mouth, and over the height of the face; distances in space,
 * so that they do not shrink as the head turns. A smile widens the mouth, a yawn narrows it: neither share says it
 * alone. The root, as wide open mouths differ more from each other than closed ones do.
 */
export function mouthShape(mesh: Mesh): [overWidth: number, overHeight: number] {
  const gap = gapOf(mesh, ...LIPS);
  return [Math.sqrt(gap / gapOf(mesh, ...CORNERS)), Math.sqrt(gap / gapOf(mesh, ...FACE))];
}

/** What tells an open mouth: its shape in the mesh, and how dark it is between the lips. */
export function mouthEvidence(from: Sampler, mesh: Mesh): MouthEvidence {
  return [...mouthShape(mesh), mouthShade(from, mesh)];
}

/** `mouthShape` and `mouthShade`. */
export type MouthEvidence = readonly [overWidth: number, overHeight: number, shade: number];

/** Log odds (natural logarithm) that the mouth is open, open and closed being equally likely beforehand. */
export function mouthOdds(evidence: MouthEvidence): number {
  return evidence.reduce<number>(
    (sum, value, i) => sum + states.mouth.weights[i]! * value,
    states.mouth.bias,
  );
}

/**
 * A mask needs to be this probable to outweigh a mouth that looks open: on the `dev` pictures 7 % of masked faces
 * look so, and about half of the bare ones (0.5 / (0.5 + 0.07)).
 */
const SURE_MASK = 0.88;

/**
 * @param odds of an open mouth
 * @param mask probability of a mask when one is worn; the mesh guesses what lies behind it, so no state is told
 */
export function judgeMouth(
  odds: number,
  mask: { readonly worn: boolean; readonly score: number },
): Judged<'open' | 'closed' | 'masked'> {
  const seen = judgeOdds(odds);
  const hidden = mask.worn && (seen.state === 'closed' || mask.score >= SURE_MASK);
  return hidden ? { state: 'masked', score: mask.score } : seen;
}
