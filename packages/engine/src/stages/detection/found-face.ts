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
  /** Mean mesh of the narrow crops, where an earlier call has fitted them. */
  readonly narrow?: Mesh;
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

/** Values of four key points, and of 468 points in space. */
const KEYPOINTS = 8;
const MESH = 1404;

/**
 * A face that was found, as numbers: box, side, score and key points of its detection, score and points of its mesh, and
 * the points of the mean mesh of its narrow crops.
 */
export function numbersOf({ detection, mesh }: FoundFace, narrow: Mesh): Float32Array {
  const { box, side, score, keypoints } = detection;
  const places = keypoints.slice(0, KEYPOINTS / 2).flatMap(({ x, y }) => [x, y]);
  const head = [box.x, box.y, box.width, box.height, side, score, ...places, mesh.score];
  return Float32Array.from([...head, ...mesh.points, ...narrow.points]);
}

/** The face of `numbersOf`. @throws RangeError for another count of numbers */
export function faceOf(numbers: Float32Array): FoundFace {
  const [x = 0, y = 0, width = 0, height = 0, side = 0, score = 0] = numbers;
  const places = numbers.subarray(6, 6 + KEYPOINTS);
  const at = 6 + KEYPOINTS + 1;
  if (numbers.length !== at + 2 * MESH) throw new RangeError(`A known face has ${at + 2 * MESH} numbers.`);
  const meshAt = (from: number): Mesh => ({
    points: numbers.slice(from, from + MESH),
    score: numbers[at - 1]!,
  });
  const mesh = meshAt(at);
  const keypoints = Array.from({ length: KEYPOINTS / 2 }, (_, i) => ({
    x: places[2 * i]!,
    y: places[2 * i + 1]!,
  }));
  const detection = { box: { x, y, width, height }, side, score, keypoints };
  return { detection, mesh, box: faceBox(mesh), narrow: meshAt(at + MESH) };
}
