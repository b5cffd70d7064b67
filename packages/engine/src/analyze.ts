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
  const decoded = await findWithDetail(within, decode, request);
  const { width, height, format } = decoded.picture;
  const faces: Face[] = [];
  for (const found of decoded.faces.slice(0, maxFaces)) {
    clock.check();
    faces.push(await measure(within, decoded, found, request));
  }
  const boxes = decoded.faces.map(({ box }) => box);
  return { image: { width, height, format }, faces, boxes, found: decoded.found, stages: watch.times() };
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

/**
 * Large pictures are decoded coarsely first: again only where a face is small there, or none is found at once. Faces of
 * middle size get the coarsest copy that suffices; tiny ones are looked for again, as some are none.
 */
async function findWithDetail(
  models: Models,
  decode: (least: number) => Promise<Picture>,
  { attributes, maxFaces, search }: AnalyzeRequest,
): Promise<DecodedFaces> {
  const least =
    attributes.length > 0 ? Math.max(...attributes.map((name) => stages[name].least(models))) : 150;
  const how = { search, maxFaces };
  const first = await decode(search === 'fast' && least < FINEST ? 0 : 1);
  if (!first.coarse) return findIn(models, first, how);
  const quick = await findIn(models, first, { ...how, search: 'whole' });
  const sizes = quick.faces.slice(0, maxFaces).map(({ box }) => Math.min(box.width, box.height));
  const sufficient = quick.found > 0 ? Math.min(1, least / Math.min(...sizes)) : 1;
  if (sufficient <= first.scale) return quick;
  const picture = await decode(sufficient);
  return picture.coarse ? closer(models, picture, quick, maxFaces) : findIn(models, picture, how);
}

/** The faces in a finer copy, of which the detector would see as many pixels: only the meshes are fitted again. */
async function closer(
  models: Models,
  picture: Picture,
  { faces, found }: DecodedFaces,
  maxFaces: number,
): Promise<DecodedFaces> {
  const from = sampler(picture);
  const needed: FoundFace[] = [];
  for (const { detection } of faces.slice(0, maxFaces)) needed.push(await faceAt(models, from, detection));
  return { picture, from, faces: [...needed, ...faces.slice(maxFaces)], found };
}

async function findIn(models: Models, picture: Picture, how: SearchOptions): Promise<DecodedFaces> {
  const from = sampler(picture);
  return { picture, from, ...(await findFaces(models, from, how)) };
}

/** The kept pixels of a picture. */
export function keptPixels({ pixels, keptWidth, keptHeight }: Picture): RgbPixels {
  return { data: pixels, width: keptWidth, height: keptHeight };
}

/** How an attribute is measured. */
interface AttributeStage<Value> {
  /** Least size of a face, kept pixels, from which what is cut out for the attribute has no more detail. */
  least(models: Models): number;
  /** Needs the mean mesh of all crops. */
  readonly wholeMesh?: true;
  of(face: MeasuredFace): Value | Promise<Value>;
}

/** Measured on the finest detail that is kept. */
const FINEST = Number.POSITIVE_INFINITY;
const finest = () => FINEST;
const fitted = () => 150;
/** The aligned crop has 112 pixels for the built-in embedder and the second one. */
const aligned = ({ recipe }: Models) => (recipe === null ? 150 : 100);

/** The attributes in the order in which they are measured. The run of the embedder for a template tells masks and what is unclear as well. */
const stages: { readonly [Name in Attribute]: AttributeStage<Required<Face>[Name]> } = {
  embedding: { least: aligned, of: ({ vectors }) => vectors.template() },
  quickEmbedding: { least: aligned, of: ({ vectors }) => vectors.quickTemplate() },
  pose: { least: fitted, of: ({ pose }) => pose() },
  eyes: { least: fitted, of: eyesOf },
  gaze: { least: fitted, wholeMesh: true, of: async (face) => (await face.irises()).gaze },
  mouth: { least: fitted, of: mouthOf },
  mask: { least: aligned, of: ({ mask }) => mask() },
  spoof: { least: finest, of: spoofOf },
  quality: { least: finest, of: qualityOfFace },
  unclear: { least: aligned, of: async ({ unclear }) => unclearRules(await unclear()) },
  mesh: {
    least: fitted,

    wholeMesh: true,
    of: async (face) => (await face.passes.all()).points,
  },
  shape: { least: fitted, of: async ({ passes }) => shapeOf(await passes.narrow()) },
  settledShape: {
    least: fitted,

    of: async ({ passes, light }) => shapeOf(await passes.settled(light().brightness)),
  },
  skin: { least: finest, of: ({ from, mesh }) => skinOf(from, mesh) },
  crop: { least: () => 205, of: ({ picture, box }) => cropOf(picture, box) },
};

async function measure(
  models: Models,
  decoded: DecodedFaces,
  found: FoundFace,
  request: AnalyzeRequest,
): Promise<Face> {
  const { mesh, box, detection } = found;
  const face = measuredFace(models, decoded, found, request);
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

/** A face, and what several attributes are measured from: it is computed at its first use, once. */
function measuredFace(
  models: Models,
  { picture, from }: DecodedFaces,
  found: FoundFace,
  { attributes, minFaceSize }: AnalyzeRequest,
) {
  const { mesh, box } = found;
  const wholeMesh = attributes.some((name) => stages[name].wholeMesh);
  const passes = meshPasses(models.mesh, from, found, wholeMesh);
  const vectors = faceVectors(models, from, mesh);
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
