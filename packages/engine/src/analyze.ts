import { type Copy, leastOf, measure, type SeenFace } from './attributes.ts';
import { decodeImage, type Picture } from './imaging/decode.ts';
import { sampler } from './imaging/sampler.ts';
import { startWorkClock } from './imaging/work-clock.ts';
import type { Models } from './runtime/model.ts';
import { findFaces, type SearchOptions } from './stages/detection/find-faces.ts';
import { type FoundFace, faceAt } from './stages/detection/found-face.ts';
import { modelsWithin, startStopwatch } from './stages/stopwatch.ts';
import type { Analysis, AnalyzeRequest, Face, ImageLimits, Search } from './types.ts';

/**
 * Decodes a picture, finds its faces and computes the requested attributes of each.
 * @param deadline when the call ends, milliseconds since the epoch; the work ends with it
 * @throws EngineError `imageType` | `imageBroken` | `deadline`
 */
export async function analyze(
  models: Models,
  image: Uint8Array,
  request: AnalyzeRequest,
  limits: ImageLimits,
  deadline: number = Number.POSITIVE_INFINITY,
): Promise<Analysis> {
  const { maxFaces } = request;
  const clock = startWorkClock(limits.maxMs ?? Number.POSITIVE_INFINITY, deadline);
  const watch = startStopwatch();
  const within = modelsWithin(clock, models, watch);
  const decode = async (least: number) => {
    const picture = await watch.timed('decode', () => decodeImage(image, limits, clock, least));
    clock.check();
    return picture;
  };
  const copyOf = createCopies(decode);
  const look = await lookFor(within, copyOf, request);
  const faces: Face[] = [];
  for (const face of look.faces.slice(0, maxFaces)) {
    clock.check();
    const detail = await copyOf(Math.max(face.picture.scale, scaleFor(face.found, leastOf(request))));
    faces.push(await measure(within, face, detail, request));
  }
  const { width, height, format } = (await copyOf(0)).picture;
  const boxes = look.faces.map(({ found }) => found.box);
  return { image: { width, height, format }, faces, boxes, found: look.found, stages: watch.times() };
}

/** A decoded picture and its faces. */
export interface DecodedFaces extends Copy {
  /** The most prominent first. */
  readonly faces: readonly FoundFace[];
  /** Number of faces, see `Analysis`. */
  readonly found: number;
}

/**
 * Decodes a picture and finds its faces without measuring them.
 * @param maxFaces number of faces that are needed, see `findFaces`
 * @throws EngineError `imageType` | `imageBroken` | `deadline`
 */
export async function decodeAndFind(
  models: Models,
  image: Uint8Array,
  search: Search,
  limits: ImageLimits,
  maxFaces: number = Number.POSITIVE_INFINITY,
): Promise<DecodedFaces> {
  return findIn(models, await decodeImage(image, limits), { search, maxFaces });
}

async function findIn(models: Models, picture: Picture, how: SearchOptions): Promise<DecodedFaces> {
  const from = sampler(picture);
  return { picture, from, ...(await findFaces(models, from, how)) };
}

/** Decodes copies of a picture. @returns function to the coarsest one of a scale, 0…1, or of a larger one that is there */
function createCopies(decode: (least: number) => Promise<Picture>) {
  const copies: Copy[] = [];
  return async (least: number): Promise<Copy> => {
    const known = copies.find(({ picture: { scale, coarse } }) => scale >= least || !coarse);
    if (known) return known;
    const picture = await decode(least);
    const copy = { picture, from: sampler(picture) };
    copies.push(copy);
    copies.sort((one, other) => one.picture.scale - other.picture.scale);
    return copy;
  };
}

/** Scale from which a face has that many pixels. */
function scaleFor({ box }: FoundFace, pixels: number): number {
  return Math.min(1, pixels / Math.min(box.width, box.height));
}

/**
 * Finds the faces of a picture, and for each the copy that its template is made of: whatever else is asked for and however
 * thoroughly the picture is searched, it is the same. Large pictures are looked at coarsely first: faces of middle size get
 * the coarsest copy that suffices; tiny ones are looked for again, as some are none.
 */
async function lookFor(
  models: Models,
  copyOf: ReturnType<typeof createCopies>,
  { maxFaces, search }: AnalyzeRequest,
): Promise<{ faces: SeenFace[]; found: number }> {
  const first = await copyOf(0);
  const isCoarse = first.picture.coarse;
  const seen = await findFaces(models, first.from, { search: isCoarse ? 'whole' : search, maxFaces });
  if (!isCoarse) return { ...seen, faces: seen.faces.map((found) => ({ found, ...first })) };
  const needed = seen.faces.slice(0, maxFaces);
  const known = new Map<FoundFace, Copy>();
  for (const found of needed) {
    const copy = await copyOf(scaleFor(found, alignedPixels(models)));
    if (!copy.picture.coarse) continue;
    known.set(copy === first ? found : await faceAt(models, copy.from, found.detection), copy);
  }
  const isEnough = search === 'fast' && known.size > 0 && known.size === needed.length;
  const whole = isEnough ? first : await copyOf(1);
  const all = isEnough
    ? { faces: [...known.keys(), ...seen.faces.slice(maxFaces)], found: seen.found }
    : await findFaces(models, whole.from, { search, maxFaces, known: [...known.keys()] });
  const faces = all.faces.map((found) => ({ found, ...(known.get(found) ?? whole) }));
  return { faces, found: all.found };
}

/** Pixels of a face from which templates have no more detail: its aligned crop has 112 for the built-in embedder and the second one. */
const alignedPixels = ({ recipe }: Models) => (recipe === null ? 150 : 100);
