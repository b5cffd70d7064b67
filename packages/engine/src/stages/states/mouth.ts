import type { Sampler } from '../../imaging/sampler.ts';
import type { StateEstimate } from '../../types.ts';
import { distance3d, type Mesh } from '../mesh/mesh.ts';
import { lipContrast } from './lip-contrast.ts';
import { estimateFromOdds } from './logistic.ts';
import { states } from './states.ts';

/** Inner edge of the upper and lower lip, and the two inner corners. */
const LIPS = [13, 14] as const;
const CORNERS = [78, 308] as const;

/**
 * Square root of the gap of the lips over the width of the mouth, in space: about 0.1 when closed, 0.45 and more when
 * open. The root, as wide open mouths differ more from each other than closed ones do.
 */
export function mouthOpenness(mesh: Mesh): number {
  return Math.sqrt(distance3d(mesh, ...LIPS) / distance3d(mesh, ...CORNERS));
}

/** What tells an open mouth: where the mesh has the lips, and what the picture shows between them. */
export interface MouthMeasures {
  /** `mouthOpenness` */
  readonly openness: number;
  /** `lipContrast` */
  readonly contrast: number;
}

/** @param mesh in pixels of the picture that the sampler cuts from */
export function measureMouth(from: Sampler, mesh: Mesh): MouthMeasures {
  return { openness: mouthOpenness(mesh), contrast: lipContrast(from, mesh) };
}

/** Log odds (natural logarithm) that the mouth is open, both states being equally likely beforehand. */
export function mouthOdds(seen: MouthMeasures): number {
  const { openness, contrast, bias } = states.mouth;
  return openness * seen.openness + contrast * seen.contrast + bias;
}

/**
 * A mask needs to be this probable to outweigh a mouth that looks open: on the `dev` pictures 7 % of masked faces
 * look so, and about half of the bare ones (0.5 / (0.5 + 0.07)).
 */
const MIN_MASK_SCORE = 0.88;

/**
 * @param odds of an open mouth
 * @param mask probability of a mask when one is worn; the mesh guesses what lies behind it, so no state is told
 */
export function estimateMouth(
  odds: number,
  mask: { readonly worn: boolean; readonly score: number },
): StateEstimate<'open' | 'closed' | 'masked'> {
  const seen = estimateFromOdds(odds);
  const hidden = mask.worn && (seen.state === 'closed' || mask.score >= MIN_MASK_SCORE);
  return hidden ? { state: 'masked', score: mask.score } : seen;
}
