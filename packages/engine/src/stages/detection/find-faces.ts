import { type Affine, distance, middle } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Model, Models } from '../../runtime/model.ts';
import type { Box, Search } from '../../types.ts';
import type { Detection } from '../detected.ts';
import { faceBox, landmarksOf, type Mesh, meshOf } from '../mesh/mesh.ts';
import { detect } from './detect.ts';
import { isSame, suppress } from './detection.ts';
import { detailedViews, type Size, tileViews, wholeView } from './views.ts';

/** A detection that the mesh confirmed. */
export interface FoundFace {
  readonly detection: Detection;
  readonly mesh: Mesh;
  /** Brow to chin, temple to temple; pixels of the upright picture, may reach beyond its edges. */
  readonly box: Box;
  /** Mean mesh of the narrow crops, where an earlier call has fitted them. */
  readonly narrow?: Mesh;
}

/** Faces of a picture; in a crowd not all of them. */
interface FoundFaces {
  readonly faces: readonly FoundFace[];
  /** Number of faces, with the detections that were not confirmed because there were enough. */
  readonly found: number;
}

/** Size of a view over the picture: a face that fills the picture is found when the picture fills less of the view. */
const ZOOM_OUT = 1.8;
/** Limits of `isFace`. */
const MAX_DISAGREEMENT = 0.16;
const CONFIDENT_DETECTION = 0.8;
const MIN_MESH = 0.05;
const MAX_DISAGREEMENT_LOW_MESH = 0.1;
/** Prior of a picture that lies on its side or upside down, relative to an upright one. */
const TURNED_WEIGHT = 0.8;
/** Faces that are confirmed in any case, so that they are counted; and detections in one search that may be no faces. */
const CROWD = 16;
const MAX_REJECTED = 16;
/** Score of a detection in the whole picture from which its surroundings are looked at: a face on a card is tiny there. */
const HINT = 0.03;
/** Height of the head above the brow, as a share of a face's box. */
const HAIR = 0.6;

/**
 * Finds the faces of a picture, the most prominent first.
 *
 * `fast` searches the whole picture, first with few pixels for a single large face. Only without a result it searches a smaller copy (a face may fill the picture),
 * the picture rotated by quarter turns (it may lie on its side without an EXIF tag), and then tiles (small faces).
 * `thorough` always searches the tiles too, and the most detailed parts when exactly one face is found. `card` searches
 * the whole picture and the most detailed parts, `closer` more of them. `whole` searches only the whole picture.
 *
 * A crowd costs what `maxFaces` says: no more faces are confirmed than that, or `CROWD`.
 * @param maxFaces number of faces that are needed
 */
export async function findFaces(
  models: Models,
  from: Sampler,
  search: Search | 'whole',
  maxFaces: number = Number.POSITIVE_INFINITY,
): Promise<FoundFaces> {
  const only = search === 'fast' || search === 'whole' ? await findOnly(models, from) : null;
  if (only) return { faces: [only], found: 1 };
  const look: Look = (views, known = []) => findInViews(models, from, views, maxFaces, known);
  const tiles = tileViews(from);
  let all = await look([wholeView(from), ...(search === 'thorough' ? tiles : [])]);
  if (all.faces.length === 0 && search !== 'whole') all = await findInOtherViews(from, look);
  if (all.faces.length === 0 && search === 'fast') all = await look(tiles);
  const alone = all.faces.length === 1 && search === 'thorough';
  if (search === 'closer') all = await addDetailed(models, from, look, all, 'many');
  else if (alone || search === 'card') all = await addDetailed(models, from, look, all, 'some');
  return { faces: byProminence(from, all.faces), found: all.found };
}

async function findOnly(models: Models, from: Sampler): Promise<FoundFace | null> {
  const { smaller } = models.detector;
  const detection = smaller ? await onlyFace(smaller, from) : null;
  if (!detection) return null;
  const face = await faceAt(models, from, detection);
  return isFace(models, face) ? face : null;
}

/** The face of a detection, which another copy of the picture may have given. */
export async function faceAt(models: Models, from: Sampler, detection: Detection): Promise<FoundFace> {
  const mesh = await meshOf(models.mesh, from, detection);
  return { detection, mesh, box: faceBox(mesh) };
}

function byProminence(from: Size, faces: readonly FoundFace[]): FoundFace[] {
  return faces.toSorted((p, q) => prominence(q.box, from) - prominence(p.box, from));
}

/** Searches views of the picture. @param known faces whose parts are not reported again */
type Look = (views: readonly Affine[], known?: readonly FoundFace[]) => Promise<FoundFaces>;

/** Adds faces of the most detailed parts; those already found take precedence. */
async function addDetailed(
  models: Models,
  from: Sampler,
  look: Look,
  { faces, found }: FoundFaces,
  effort: 'some' | 'many',
): Promise<FoundFaces> {
  const boxes = byProminence(from, faces).map(({ box }) => box);
  const hints = await detect(models.detector, from, wholeView(from), HINT);
  const detailed = await look(detailedViews(from, boxes, hints, effort), faces);
  const further = detailed.faces.filter(({ box }) => !boxes.some((other) => isSame(box, headOf(other))));
  return { faces: [...faces, ...further], found: found + further.length };
}

/** Faces of the other view of the whole picture with the most confident face: an upside-down face scores as well. */
async function findInOtherViews(from: Sampler, look: Look): Promise<FoundFaces> {
  let best = await look([wholeView(from, ZOOM_OUT)]);
  let least = confidence(best) / TURNED_WEIGHT;
  for (const turns of [1, 3, 2]) {
    const other = await look([wholeView(from, 1, turns)]);
    if (confidence(other) <= least) continue;
    best = other;
    least = confidence(other);
  }
  return best;
}

function confidence({ faces }: FoundFaces): number {
  return Math.max(0, ...faces.map(({ detection, mesh }) => detection.score * mesh.score));
}

/** The most prominent detections are confirmed, until there are enough faces or too many that are none. */
async function findInViews(
  models: Models,
  from: Sampler,
  views: readonly Affine[],
  maxFaces: number,
  known: readonly FoundFace[],
): Promise<FoundFaces> {
  const seen: Detection[] = [];
  for (const view of views) seen.push(...(await detect(models.detector, from, view)));
  const further = suppress(seen).filter(({ box }) => !known.some((face) => isSame(box, face.box)));
  const prominent = further.sort((p, q) => prominence(q.box, from) - prominence(p.box, from));
  const enough = Math.max(maxFaces, CROWD);
  const faces: FoundFace[] = [];
  let unconfirmed = 0;
  for (const [tried, detection] of prominent.entries()) {
    if (tried - faces.length === MAX_REJECTED) break;
    if (faces.length === enough) {
      unconfirmed = prominent.length - tried;
      break;
    }
    const face = await faceAt(models, from, detection);
    if (isFace(models, face)) faces.push(face);
  }
  const distinct = withoutDuplicates(faces);
  return { faces: distinct, found: distinct.length + unconfirmed };
}

/**
 * @NOTE gate
 * On a face, detector and mesh agree on eyes, nose and mouth; on other patterns and on parts of faces at a tile's edge
 * they disagree. The mesh scores some masked faces low that the detector scores high.
 */
function isFace(models: Models, { detection, mesh }: FoundFace): boolean {
  const apart = disagreement(detection, mesh);
  if (mesh.score >= (models.mesh.spec.threshold ?? 0.5)) return apart <= MAX_DISAGREEMENT;
  return (
    detection.score >= CONFIDENT_DETECTION && mesh.score >= MIN_MESH && apart <= MAX_DISAGREEMENT_LOW_MESH
  );
}

/** Mean distance of eyes, nose and mouth between detector and mesh, over the side of the detector's box. */
function disagreement({ keypoints, side }: Detection, mesh: Mesh): number {
  const [right, left, nose, mouthRight, mouthLeft] = landmarksOf(mesh);
  const points = [right, left, nose, middle(mouthRight, mouthLeft)];
  return points.reduce((sum, point, i) => sum + distance(point, keypoints[i]!), 0) / points.length / side;
}

/** Of faces that overlap, keeps the one with the higher detector score: tiles cut faces in two. */
function withoutDuplicates(faces: readonly FoundFace[]): FoundFace[] {
  const kept: FoundFace[] = [];
  for (const face of [...faces].sort((p, q) => q.detection.score - p.detection.score)) {
    if (!kept.some((other) => isSame(face.box, other.box))) kept.push(face);
  }
  return kept;
}

/** Forehead and hair have patterns that a close look takes for small faces. */
function headOf({ x, y, width, height }: Box): Box {
  const hair = HAIR * height;
  return { x, y: y - hair, width, height: height + hair };
}

/**
 * Area weighted by closeness to the centre, 1 there, 0 at the corners: the subject of a photo stands in its middle,
 * and bystanders nearer to the camera are often larger.
 */
function prominence(box: Box, { width, height }: Size): number {
  const away = Math.hypot(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2);
  const closeness = Math.max(0, 1 - (2 * away) / Math.hypot(width, height));
  return box.width * box.height * closeness ** 2;
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

/** Least score of the face. */
const SURE = 0.7;
/** Least side of the face over the longer side of the picture. */
const LARGE = 0.1;
/** Scores from which another detection may be a face, by its side over the longer side of the picture: small faces score low. */
const DOUBTS = [
  { below: 0.08, score: 0.1 },
  { below: 0.12, score: 0.15 },
  { below: Number.POSITIVE_INFINITY, score: 0.3 },
] as const;

/**
 * Looks for a picture's only face in a view of few pixels. Only a large face is found that scores high while nothing else
 * in the picture may be a face: all other pictures need a look at more pixels (figures: docs/adr/0056-a-large-face-is-found-with-few-pixels.md).
 * @param detector for few pixels
 * @returns null where such a look is needed
 */
async function onlyFace(detector: Model, from: Sampler): Promise<Detection | null> {
  const longer = Math.max(from.width, from.height);
  const [face, ...others] = await detect(detector, from, wholeView(from), DOUBTS[0].score);
  if (!face || face.score < SURE || face.side < LARGE * longer) return null;
  const doubtful = ({ box, side, score }: Detection) =>
    score >= DOUBTS.find(({ below }) => side < below * longer)!.score && !isSame(face.box, box);
  return others.some(doubtful) ? null : face;
}
