import type { Affine } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Model, Models } from '../../runtime/model.ts';
import type { Box, Search } from '../../types.ts';
import type { Detection } from '../detected.ts';
import { detect } from './detect.ts';
import { isSame, suppress } from './detection.ts';
import type { FoundFace } from './found-face.ts';
import { confirmed } from './second-look.ts';
import { detailedViews, type Size, tileViews, wholeView } from './views.ts';

/** Faces of a picture; in a crowd not all of them. */
interface FoundFaces {
  readonly faces: readonly FoundFace[];
  /** Number of faces, with the detections that were not confirmed because there were enough. */
  readonly found: number;
}

/** Size of a view over the picture: a face that fills the picture is found when the picture fills less of the view. */
const ZOOM_OUT = 1.8;
/** Faces that are confirmed in any case, so that they are counted; and detections in one search that may be no faces. */
const CROWD = 16;
const MAX_REJECTED = 16;
/** Score of a detection in the whole picture from which its surroundings are looked at: a face on a card is tiny there. */
const HINT = 0.03;
/** The same in tiles, where nothing else was found: a small face scores low there. */
const WEAK = 0.2;
/** Height of the head above the brow, as a share of a face's box. */
const HAIR = 0.6;

/** How a picture is searched. */
export interface SearchOptions {
  /** `whole` searches only the whole picture. */
  readonly search: Search | 'whole';
  /** Number of faces that are needed. */
  readonly maxFaces: number;
  /** Without the look with few pixels (`onlyFace`). */
  readonly allPixels: boolean;
}

/**
 * Finds the faces of a picture, the most prominent first.
 *
 * `fast` searches the whole picture, first with few pixels for a single large face. Only without a result it searches a
 * smaller copy (a face may fill the picture), the picture on its sides, and then tiles (small faces).
 * `thorough` always searches the tiles too, and the most detailed parts when exactly one face is found. `card` searches
 * the whole picture and the most detailed parts, `closer` more of them. `whole` searches only the whole picture.
 *
 * A crowd costs what `maxFaces` says: no more faces are confirmed than that, or `CROWD`.
 */
export async function findFaces(
  models: Models,
  from: Sampler,
  { search, maxFaces, allPixels }: SearchOptions,
): Promise<FoundFaces> {
  const only = !allPixels && (search === 'fast' || search === 'whole') ? await findOnly(models, from) : null;
  if (only) return { faces: [only], found: 1 };
  const look: Look = (views, known = []) => findInViews(models, from, { views, maxFaces, known });
  const tiles = tileViews(from);
  let all = await look([wholeView(from), ...(search === 'thorough' ? tiles : [])]);
  const others = search === 'whole' ? [] : otherViews(from).map((view) => [view]);
  for (const views of others) if (all.faces.length === 0) all = await look(views);
  if (all.faces.length === 0 && search === 'fast') {
    all = await findInViews(models, from, { views: tiles, maxFaces, known: [], least: WEAK });
  }
  const alone = all.faces.length === 1 && search === 'thorough';
  if (search === 'closer') all = await addDetailed(models, from, look, all, 'many');
  else if (alone || search === 'card') all = await addDetailed(models, from, look, all, 'some');
  return { faces: byProminence(from, all.faces), found: all.found };
}

/** Views for a face that fills the picture, and for one that lies on its side: upside down it is seen without a turn. */
function otherViews(from: Sampler): Affine[] {
  return [wholeView(from, ZOOM_OUT), wholeView(from, 1, 1), wholeView(from, 1, 3)];
}

async function findOnly(models: Models, from: Sampler): Promise<FoundFace | null> {
  const { smaller } = models.detector;
  const detection = smaller ? await onlyFace(smaller, from) : null;
  return detection && confirmed(models, from, detection);
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

/** What is searched, and with which result. */
interface ViewSearch {
  readonly views: readonly Affine[];
  /** Number of faces that are needed. */
  readonly maxFaces: number;
  /** Faces whose parts are not reported again. */
  readonly known: readonly FoundFace[];
  /** Least score of a detection where weak ones are tried too, the strongest first. */
  readonly least?: number;
}

/** The most prominent detections are confirmed, until there are enough faces or too many that are none. */
async function findInViews(
  models: Models,
  from: Sampler,
  { views, maxFaces, known, least }: ViewSearch,
): Promise<FoundFaces> {
  const seen: Detection[] = [];
  for (const view of views) seen.push(...(await detect(models.detector, from, view, least)));
  const further = suppress(seen).filter(({ box }) => !known.some((face) => isSame(box, face.box)));
  const rank = ({ box, score }: Detection) => (least === undefined ? prominence(box, from) : score);
  const prominent = further.sort((p, q) => rank(q) - rank(p));
  const enough = Math.max(maxFaces, CROWD);
  const faces: FoundFace[] = [];
  let unconfirmed = 0;
  for (const [tried, detection] of prominent.entries()) {
    if (tried - faces.length === MAX_REJECTED) break;
    if (faces.length === enough) {
      unconfirmed = prominent.length - tried;
      break;
    }
    const face = await confirmed(models, from, detection);
    if (face) faces.push(face);
  }
  const distinct = withoutDuplicates(faces);
  return { faces: distinct, found: distinct.length + unconfirmed };
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
 * in the picture may be a face, as of 939 of 1,129 pictures with one face and of none of 47 with several
 * (lab/results/decisions/0056.json): all other pictures need a look at more pixels.
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
