import type { Sampler } from '../../imaging/sampler.ts';
import type { StateEstimate } from '../../types.ts';
import type { MeshPasses } from '../mesh/averaged-mesh.ts';
import { distance3d, type Mesh } from '../mesh/mesh.ts';
import { lipContrast } from './lip-contrast.ts';
import { areClear, estimateFromOdds, states } from './states.ts';

/** Mesh points of the inner edge of the upper and lower lip, and of the two inner corners. */
const LIPS = [13, 14] as const;
const CORNERS = [78, 308] as const;

/**
 * Square root of the gap of the lips over the width of the mouth, in space: about 0.1 when closed, 0.45 and more when
 * open. The root evens out the larger differences between wide open mouths.
 */
export function mouthOpenness(mesh: Mesh): number {
  return Math.sqrt(distance3d(mesh, ...LIPS) / distance3d(mesh, ...CORNERS));
}

/** Measures of an open mouth. */
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
 * Least mask score at which a mouth measured as open is reported as masked: on `dev`, 7 % of masked faces and about half
 * of the others are measured as open (0.5 / (0.5 + 0.07)).
 */
const MIN_MASK_SCORE = 0.88;

/**
 * State of the mouth; `masked` behind a mask, where the lips of the mesh are not measured.
 * @param odds log odds (natural logarithm) of an open mouth
 * @param mask decision and probability, 0…1
 */
export function estimateMouth(
  odds: number,
  mask: { readonly worn: boolean; readonly score: number },
): StateEstimate<'open' | 'closed' | 'masked'> {
  const seen = estimateFromOdds(odds);
  const hidden = mask.worn && (seen.state === 'closed' || mask.score >= MIN_MASK_SCORE);
  return hidden ? { state: 'masked', score: mask.score } : seen;
}

/** Log odds of an open mouth by the narrow mesh where they are clear, else by all passes. */
export async function mouthInPasses(from: Sampler, passes: MeshPasses): Promise<number> {
  const quick = mouthOdds(measureMouth(from, await passes.narrow()));
  return areClear(estimateFromOdds(quick)) ? quick : mouthOdds(measureMouth(from, await passes.all()));
}
