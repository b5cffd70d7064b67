import { decodeImage, type Picture } from './imaging/decode.ts';
import { cropOf } from './imaging/face-crop.ts';
import { type Sampler, sampler } from './imaging/sampler.ts';
import { startWorkClock } from './imaging/work-clock.ts';
import type { RgbPixels } from './pad/crops.ts';
import { padFace } from './pad/networks.ts';
import { estimateSpoof } from './pad/score.ts';
import type { Models } from './runtime/model.ts';
import { findFaces, type SearchOptions } from './stages/detection/find-faces.ts';
import { type FoundFace, faceAt } from './stages/detection/found-face.ts';
import { memoize } from './stages/maths.ts';
import { landmarksOf, meshPasses } from './stages/mesh/mesh.ts';
import { poseOf } from './stages/mesh/pose.ts';
import { shapeOf } from './stages/mesh/shape.ts';
import { skinOf } from './stages/mesh/skin.ts';
import { innerFace, measureLight, qualityOf, unclearRules } from './stages/quality.ts';
import {
  coveredOr,
  estimateEyes,
  estimateMouth,
  eyesInPasses,
  MASK_THRESHOLD,
  maskScore,
  measureEyes,
  measureMouth,
  mouthInPasses,
  mouthOdds,
} from './stages/states.ts';
import { modelsWithin, startStopwatch } from './stages/stopwatch.ts';
import { faceVectors } from './stages/template/template.ts';
import { unclearOf } from './stages/unclear.ts';
import type { Analysis, AnalyzeRequest, Attribute, Eyes, Face, ImageLimits, Search } from './types.ts';

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
export interface DecodedFaces {
  readonly picture: Picture;
  /** Cuts crops out of the picture. */
  readonly from: Sampler;
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

/** A picture, decoded at some scale. */
type Copy = Pick<DecodedFaces, 'picture' | 'from'>;

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

/** A face, and the copy that tells who it is. */
interface SeenFace extends Copy {
  readonly found: FoundFace;
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

/** The kept pixels of a picture. */
export function keptPixels({ pixels, keptWidth, keptHeight }: Picture): RgbPixels {
  return { data: pixels, width: keptWidth, height: keptHeight };
}

/** How an attribute is measured. */
interface AttributeStage<Value> {
  /** Pixels of a face from which what is cut out for the attribute has no more detail; what its template tells has none of its own. */
  readonly least: number;
  /** Needs the mean mesh of all crops. */
  readonly wholeMesh?: true;
  of(face: MeasuredFace): Value | Promise<Value>;
}

/** Measured on the finest detail that is kept. */
const FINEST = Number.POSITIVE_INFINITY;
const FITTED = 150;

/** The attributes in the order in which they are measured. The run of the embedder for a template tells masks and what is unclear as well. */
const stages: { readonly [Name in Attribute]: AttributeStage<Required<Face>[Name]> } = {
  embedding: { least: 0, of: ({ vectors }) => vectors.template() },
  quickEmbedding: { least: 0, of: ({ vectors }) => vectors.quickTemplate() },
  pose: { least: FITTED, of: ({ pose }) => pose() },
  eyes: { least: FITTED, of: eyesOf },
  gaze: { least: FITTED, wholeMesh: true, of: async (face) => (await face.irises()).gaze },
  mouth: { least: FITTED, of: mouthOf },
  mask: { least: 0, of: ({ mask }) => mask() },
  spoof: { least: FINEST, of: spoofOf },
  quality: { least: FINEST, of: qualityOfFace },
  unclear: { least: 0, of: async ({ unclear }) => unclearRules(await unclear()) },
  mesh: { least: FITTED, wholeMesh: true, of: async (face) => (await face.passes.all()).points },
  shape: { least: FITTED, of: async ({ passes }) => shapeOf(await passes.narrow()) },
  settledShape: {
    least: FITTED,
    of: async ({ passes, light }) => shapeOf(await passes.settled(light().brightness)),
  },
  skin: { least: FINEST, of: ({ from, mesh }) => skinOf(from, mesh) },
  crop: { least: 205, of: ({ picture, box }) => cropOf(picture, box) },
};

function leastOf({ attributes }: AnalyzeRequest): number {
  return Math.max(0, ...attributes.map((name) => stages[name].least));
}

async function measure(models: Models, seen: SeenFace, detail: Copy, request: AnalyzeRequest): Promise<Face> {
  const { mesh, box, detection } = seen.found;
  const face = measuredFace(models, seen, detail, request);
  const measured: Partial<Record<Attribute, unknown>> = {};
  for (const [name, stage] of Object.entries(stages) as [Attribute, AttributeStage<unknown>][]) {
    if (request.attributes.includes(name)) measured[name] = await stage.of(face);
  }
  const { score } = detection;
  return { box, score, meshScore: mesh.score, landmarks: landmarksOf(mesh), ...(measured as Partial<Face>) };
}

/** Values of a network that tell masks and what is unclear. */
type Told = readonly [of: 'map' | 'features', values: Float32Array];

type MeasuredFace = ReturnType<typeof measuredFace>;

/**
 * A face, and what several attributes are measured from: it is computed at its first use, once. What tells who it is comes
 * from the copy that it was seen in, everything else from one that may have more detail.
 */
function measuredFace(
  models: Models,
  { found, from: seenIn }: SeenFace,
  { picture, from }: Copy,
  { attributes, minFaceSize }: AnalyzeRequest,
) {
  const { mesh, box } = found;
  const wholeMesh = attributes.some((name) => stages[name].wholeMesh);
  const passes = meshPasses(models.mesh, from, found, wholeMesh);
  const vectors = faceVectors(models, seenIn, mesh);
  const pose = memoize(async () => poseOf(await passes.narrow()));
  const irises = memoize(async () => measureEyes(models.iris, from, await passes.all()));
  const light = memoize(() => measureLight(innerFace(from, mesh)));
  // To be asked for after the template, whose run of the embedder tells them.
  const told = memoize(async (): Promise<Told> => {
    const map = await vectors.map();
    return map ? ['map', map] : ['features', await vectors.features()];
  });
  const mask = memoize(async () => {
    const score = maskScore(...(await told()));
    return { worn: score >= MASK_THRESHOLD, score };
  });
  const unclear = memoize(async () => unclearOf(...(await told()), mesh));
  const own = { picture, from, found, mesh, box, attributes, minFaceSize, wholeMesh };
  return { ...own, models, passes, vectors, pose, irises, light, mask, unclear };
}

async function eyesOf({ unclear, ...face }: MeasuredFace): Promise<Eyes> {
  return coveredOr(await seenEyes(face), (await unclear()).covered);
}

async function seenEyes({
  models,
  from,
  attributes,
  passes,
  pose,
  irises,
}: Omit<MeasuredFace, 'unclear'>): Promise<Eyes> {
  const { yaw } = await pose();
  if (!attributes.includes('gaze')) return eyesInPasses(models.iris, from, passes, yaw);
  return estimateEyes((await irises()).openness, yaw);
}

async function mouthOf({ from, wholeMesh, passes, mask }: MeasuredFace) {
  const measured = async () => mouthOdds(measureMouth(from, await passes.all()));
  return estimateMouth(await (wholeMesh ? measured() : mouthInPasses(from, passes)), await mask());
}

async function spoofOf({ models, picture, from, box, light }: MeasuredFace) {
  return estimateSpoof(models.padNetworks, padFace(from.width, keptPixels(picture), box), light());
}

async function qualityOfFace({ picture, box, pose, light, unclear, minFaceSize }: MeasuredFace) {
  const { width, height } = picture;
  const seen = { pose: await pose(), light: light(), unclear: await unclear() };
  return qualityOf({ box, width, height, minSize: minFaceSize, ...seen });
}
