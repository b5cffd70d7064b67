import { distance, middle } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Models } from '../../runtime/model.ts';
import type { Box } from '../../types.ts';
import type { Detection } from '../detected.ts';
import { faceBox, landmarksOf, type Mesh, meshOf } from '../mesh/mesh.ts';

/** A detection that the mesh confirmed. */
export interface FoundFace {
  readonly detection: Detection;
  readonly mesh: Mesh;
  /** Brow to chin, temple to temple; pixels of the upright picture, may reach beyond its edges. */
  readonly box: Box;
}

/** The face of a detection, which another copy of the picture may have given. */
export async function faceAt(models: Models, from: Sampler, detection: Detection): Promise<FoundFace> {
  const mesh = await meshOf(models.mesh, from, detection);
  return { detection, mesh, box: faceBox(mesh) };
}

/** Limits of `isFace`. */
const MAX_DISAGREEMENT = 0.16;
const CONFIDENT_DETECTION = 0.8;
const MIN_MESH = 0.05;
const MAX_DISAGREEMENT_LOW_MESH = 0.1;

/**
 * @NOTE gate
 * On a face, detector and mesh agree on eyes, nose and mouth; on other patterns and on parts of faces at a tile's edge
 * they disagree. The mesh scores some masked faces low that the detector scores high.
 */
export function isFace(models: Models, { detection, mesh }: FoundFace): boolean {
  const apart = disagreement(detection, mesh);
  if (mesh.score >= (models.mesh.spec.threshold ?? 0.5)) return apart <= MAX_DISAGREEMENT;
  return (
    detection.score >= CONFIDENT_DETECTION && mesh.score >= MIN_MESH && apart <= MAX_DISAGREEMENT_LOW_MESH
  );
}

/** Weights of `evidence`, and what keeps the logarithms finite. */
const MESH_WEIGHT = 0.5;
const DISAGREEMENT_WEIGHT = 20;
const LEAST_ODDS = 1e-5;

/**
 * How much speaks for a face at this place and this way up. Both networks take most faces upside down for upright ones with
 * eyes and mouth exchanged, but score them lower and agree less about their points.
 */
export function evidence({ detection, mesh }: FoundFace): number {
  const apart = disagreement(detection, mesh);
  return logOdds(detection.score) + MESH_WEIGHT * logOdds(mesh.score) - DISAGREEMENT_WEIGHT * apart;
}

function logOdds(probability: number): number {
  return Math.log((probability + LEAST_ODDS) / (1 - probability + LEAST_ODDS));
}

/** Mean distance of eyes, nose and mouth between detector and mesh, over the side of the detector's box. */
function disagreement({ keypoints, side }: Detection, mesh: Mesh): number {
  const [right, left, nose, mouthRight, mouthLeft] = landmarksOf(mesh);
  const points = [right, left, nose, middle(mouthRight, mouthLeft)];
  return points.reduce((sum, point, i) => sum + distance(point, keypoints[i]!), 0) / points.length / side;
}
