import type { Judged } from '../types.ts';
import { judgeOpen, type OpenCurve } from './logistic.ts';
import { gapOf, type Mesh } from './mesh.ts';

/** Inner edge of the upper and lower lip, and the two inner corners. */
const LIPS = [13, 14] as const;
const CORNERS = [78, 308] as const;

/** Fitted on the `dev` pictures. */
const OPEN: OpenCurve = { middle: 0.17, slope: 45 };

/** Gap of the lips over the width of the mouth, in space: about 0 when closed, 0.2 and more when open. */
export function mouthOpenness(mesh: Mesh): number {
  return gapOf(mesh, LIPS[0], LIPS[1]) / gapOf(mesh, CORNERS[0], CORNERS[1]);
}

/**
 * A mask needs to be this probable to outweigh a mouth that looks open: on the `dev` pictures 7 % of masked faces
 * look so, and about half of the bare ones (0.5 / (0.5 + 0.07)).
 */
const SURE_MASK = 0.88;

/** @param mask probability of a mask when one is worn; the mesh guesses what lies behind it, so no state is told */
export function judgeMouth(
  openness: number,
  mask: { readonly worn: boolean; readonly score: number },
): Judged<'open' | 'closed' | 'masked'> {
  const seen = judgeOpen(openness, OPEN);
  const hidden = mask.worn && (seen.state === 'closed' || mask.score >= SURE_MASK);
  return hidden ? { state: 'masked', score: mask.score } : seen;
}
