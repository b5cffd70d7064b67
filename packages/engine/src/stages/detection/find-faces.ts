import { type Affine, distance, intersection, middle, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Box, Search } from '../../types.ts';
import { faceBox, landmarksOf } from '../mesh/landmarks.ts';
import { type Mesh, meshOf } from '../mesh/mesh.ts';
import type { Models } from '../model.ts';
import { type Detection, detect, suppress, VIEW } from './detect.ts';

/** A face that passed the gate, and where it lies. */
export interface FoundFace {
  readonly detection: Detection;
  readonly mesh: Mesh;
  /** Brow to chin, temple to temple; pixels of the upright picture, may reach beyond its edges. */
  readonly box: Box;
}

/** A picture's size in pixels. */
type Size = Pick<Sampler, 'width' | 'height'>;

/** Side of a tile over the shorter side of the picture. */
const TILE = 0.6;
/** The same over the longer side, for long pictures. */
const MIN_TILE = 0.2;
/** The same two for the face on a card that somebody holds up: a few dozen pixels of a large picture. */
const FINE_TILE = 0.2;
const MIN_FINE_TILE = 0.1;
/** Step from tile to tile over the side of a tile. */
const TILE_STEP = 0.5;
/** A face that fills the frame is found when the picture takes up less of the view. */
const ZOOM_OUT = 1.8;
const MAX_DISAGREEMENT = 0.16;
const CONFIDENT_DETECTION = 0.8;
const MIN_MESH = 0.05;
const MAX_DISAGREEMENT_LOW_MESH = 0.1;
/** Pictures lie on their side more seldom than they are upright. */
const TURNED_WEIGHT = 0.8;
/** Two faces that share more than this of the smaller one are one face seen twice. */
const SAME_FACE = 0.5;

/**
 * Finds the faces of a picture, the most prominent first.
 *
 * `fast` looks at the whole picture. Only when nobody is there it looks again from farther away (a face may fill
 * the frame) and at the picture turned by quarters (it may lie on its side without saying so), and then at
 * tiles (small faces). `thorough` always looks at the tiles as well, and at finer ones when that shows somebody alone;
 * `finest` at all of them.
 */
export async function findFaces(models: Models, from: Sampler, search: Search): Promise<FoundFace[]> {
  const tiles = tileViews(from);
  let faces = await findInViews(models, from, [wholeView(from), ...(search === 'fast' ? [] : tiles)]);
  if (faces.length === 0) faces = await findInOtherViews(models, from);
  if (faces.length === 0 && search === 'fast') faces = await findInViews(models, from, tiles);
  const alone = faces.length === 1 && search === 'thorough';
  if (alone || search === 'finest') faces = await addFinerTiles(models, from, faces);
  return faces.sort((p, q) => prominence(q.box, from) - prominence(p.box, from));
}

/** What was found stays, whatever finer tiles see on parts of it. */
async function addFinerTiles(
  models: Models,
  from: Sampler,
  faces: readonly FoundFace[],
): Promise<FoundFace[]> {
  const finer = await findInViews(models, from, tileViews(from, FINE_TILE, MIN_FINE_TILE));
  return [...faces, ...finer.filter((face) => !faces.some((other) => isSame(face, other)))];
}

/** Other views of the whole picture; the one with the surest face counts, as an upside-down face half looks like one. */
async function findInOtherViews(models: Models, from: Sampler): Promise<FoundFace[]> {
  let best = await findInViews(models, from, [wholeView(from, ZOOM_OUT)]);
  let least = confidence(best) / TURNED_WEIGHT;
  for (const turns of [1, 3, 2]) {
    const faces = await findInViews(models, from, [wholeView(from, 1, turns)]);
    if (confidence(faces) <= least) continue;
    best = faces;
    least = confidence(faces);
  }
  return best;
}

function confidence(faces: readonly FoundFace[]): number {
  return Math.max(0, ...faces.map(({ detection, mesh }) => detection.score * mesh.score));
}

async function findInViews(models: Models, from: Sampler, views: readonly Affine[]): Promise<FoundFace[]> {
  const seen: Detection[] = [];
  for (const view of views) seen.push(...(await detect(models.detector, from, view)));
  const faces: FoundFace[] = [];
  for (const detection of suppress(seen)) {
    const mesh = await meshOf(models.mesh, from, detection);
    if (isFace(models, detection, mesh)) faces.push({ detection, mesh, box: faceBox(mesh) });
  }
  return withoutDuplicates(faces);
}

/**
 * @NOTE gate
 * Detector and mesh see the same eyes, nose and mouth on a face, and each its own on what only looks like one or
 * on a part of a face at a tile's edge. The mesh doubts some masked faces, which the detector is sure of.
 */
function isFace(models: Models, detection: Detection, mesh: Mesh): boolean {
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

/** The whole picture in the middle of a square view, `zoomOut` times as wide as needed, turned by quarter turns. */
export function wholeView({ width, height }: Size, zoomOut = 1, quarterTurns = 0): Affine {
  const centre = { x: width / 2, y: height / 2 };
  return squareCrop(centre, Math.max(width, height) * zoomOut, (quarterTurns * Math.PI) / 2, VIEW);
}

/** Overlapping squares that cover the picture; their number is bounded, however long the picture is. */
export function tileViews({ width, height }: Size, tile = TILE, least = MIN_TILE): Affine[] {
  const side = Math.max(Math.min(width, height) * tile, Math.max(width, height) * least);
  const views: Affine[] = [];
  for (const y of middles(height, side)) {
    for (const x of middles(width, side)) views.push(squareCrop({ x, y }, side, 0, VIEW));
  }
  return views;
}

/** Middles of tiles, evenly spread so that the first and the last are flush with the ends. */
function middles(length: number, side: number): number[] {
  if (length <= side) return [length / 2];
  const steps = Math.ceil((length - side) / (side * TILE_STEP));
  return Array.from({ length: steps + 1 }, (_, i) => side / 2 + ((length - side) * i) / steps);
}

/** Tiles cut faces in two: keeps the surer of two that lie in one another. */
function withoutDuplicates(faces: readonly FoundFace[]): FoundFace[] {
  const kept: FoundFace[] = [];
  for (const face of [...faces].sort((p, q) => q.detection.score - p.detection.score)) {
    if (!kept.some((other) => isSame(face, other))) kept.push(face);
  }
  return kept;
}

function isSame(one: FoundFace, other: FoundFace): boolean {
  const area = ({ box }: FoundFace) => box.width * box.height;
  return intersection(one.box, other.box) > SAME_FACE * Math.min(area(one), area(other));
}

/**
 * Area weighted by closeness to the centre, from 1 there to 0 at the corners: whoever a photo is of stands in its middle,
 * and somebody nearer to the camera at its side is often the larger one.
 */
function prominence(box: Box, { width, height }: Size): number {
  const away = Math.hypot(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2);
  const closeness = Math.max(0, 1 - (2 * away) / Math.hypot(width, height));
  return box.width * box.height * closeness ** 2;
}
