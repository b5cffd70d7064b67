import type { Affine } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Models } from '../../runtime/model.ts';
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
  /** Faces that another copy of the picture has shown; default: none. */
  readonly known?: readonly FoundFace[];
}

/**
 * Finds the faces of a picture, the most prominent first.
 *
 * `fast` searches the whole picture. Only without a result it searches a smaller copy (a face may fill the picture), the picture on its sides, and then tiles (small faces).
 * `thorough` always searches the tiles too, and the most detailed parts when exactly one face is found. `card` searches
 * the whole picture and the most detailed parts, `closer` more of them. `whole` searches only the whole picture.
 *
 * A crowd costs what `maxFaces` says: no more faces are confirmed than that, or `CROWD`.
 */
export async function findFaces(
  models: Models,
  from: Sampler,
  { search, maxFaces, known = [] }: SearchOptions,
): Promise<FoundFaces> {
  const look: Look = (views, before, least) =>
    addFound(models, from, before, { views, maxFaces, known: before.faces, least });
  const tiles = tileViews(from);
  let all = await look([wholeView(from)], { faces: known, found: known.length });
  if (search === 'thorough') all = await look(tiles, all);
  const others = search === 'whole' ? [] : otherViews(from).map((view) => [view]);
  for (const views of others) if (all.faces.length === 0) all = await look(views, all);
  if (all.faces.length === 0 && search === 'fast') all = await look(tiles, all, WEAK);
  const alone = all.faces.length === 1 && search === 'thorough';
  if (search === 'closer') all = await addDetailed(models, from, maxFaces, all, 'many');
  else if (alone || search === 'card') all = await addDetailed(models, from, maxFaces, all, 'some');
  return { faces: byProminence(from, all.faces), found: all.found };
}

/** Views for a face that fills the picture, and for one that lies on its side: upside down it is seen without a turn. */
function otherViews(from: Sampler): Affine[] {
  return [wholeView(from, ZOOM_OUT), wholeView(from, 1, 1), wholeView(from, 1, 3)];
}

function byProminence(from: Size, faces: readonly FoundFace[]): FoundFace[] {
  return faces.toSorted((p, q) => prominence(q.box, from) - prominence(p.box, from));
}

/** Searches views of the picture for faces beside those before. @param least see `ViewSearch` */
type Look = (views: readonly Affine[], before: FoundFaces, least?: number) => Promise<FoundFaces>;

/** Adds faces of views; those that are known take precedence, and views may show again what was not confirmed. */
async function addFound(
  models: Models,
  from: Sampler,
  before: FoundFaces,
  search: ViewSearch,
): Promise<FoundFaces> {
  const maxFaces = Math.max(search.maxFaces, CROWD) - before.faces.length;
  const seen = await findInViews(models, from, { ...search, maxFaces });
  const isKnown = ({ box }: FoundFace) => before.faces.some((other) => isSame(box, other.box));
  const further = seen.faces.filter((face) => !isKnown(face));
  const unconfirmed = seen.found - seen.faces.length;
  const faces = [...before.faces, ...further];
  return { faces, found: Math.max(before.found, faces.length + unconfirmed) };
}

/** Adds faces of the most detailed parts; those already found take precedence. */
async function addDetailed(
  models: Models,
  from: Sampler,
  maxFaces: number,
  { faces, found }: FoundFaces,
  effort: 'some' | 'many',
): Promise<FoundFaces> {
  const boxes = byProminence(from, faces).map(({ box }) => box);
  const hints = await detect(models.detector, from, wholeView(from), HINT);
  const views = detailedViews(from, boxes, hints, effort);
  const enough = Math.max(maxFaces, CROWD);
  const detailed = await findInViews(models, from, { views, maxFaces: enough, known: faces });
  const further = detailed.faces.filter(({ box }) => !boxes.some((other) => isSame(box, headOf(other))));
  return { faces: [...faces, ...further], found: found + further.length };
}

/** What is searched, and with which result. */
interface ViewSearch {
  readonly views: readonly Affine[];
  /** Number of faces after which no more are confirmed. */
  readonly maxFaces: number;
  /** Faces whose parts are not reported again. */
  readonly known: readonly FoundFace[];
  /** Least score of a detection where weak ones are tried too, the strongest first. */
  readonly least?: number | undefined;
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
  const faces: FoundFace[] = [];
  let unconfirmed = 0;
  for (const [tried, detection] of prominent.entries()) {
    if (tried - faces.length === MAX_REJECTED) break;
    if (faces.length >= maxFaces) {
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
