import { startWorkClock } from './imaging/bounds/work-clock.ts';
import { decodeImage, type Picture } from './imaging/decode.ts';
import { cropOf } from './imaging/face-crop.ts';
import { type Sampler, sampler } from './imaging/sampler.ts';
import { unclearReasons } from './pad/clarity.ts';
import { scoreFace } from './pad/fusion.ts';
import { createPadFace } from './pad/signal.ts';
import type { RgbPixels } from './pad/view.ts';
import type { Models } from './runtime/model.ts';
import { qualityComponents } from './stages/components/quality-components.ts';
import { type FoundFace, faceAt, faceOf, findFaces, numbersOf } from './stages/detection/find-faces.ts';
import { memoize } from './stages/memoize.ts';
import { meshPasses } from './stages/mesh/averaged-mesh.ts';
import { coloursOf } from './stages/mesh/colours.ts';
import { landmarksOf } from './stages/mesh/mesh.ts';
import { poseOf } from './stages/mesh/pose.ts';
import { skinOf } from './stages/mesh/skin.ts';
import { perceptualHashOf } from './stages/perceptual-hash.ts';
import { innerFace, type LightMeasures, measureLight, qualityOf } from './stages/quality.ts';
import { estimateEyes, eyesInPasses, measureEyes } from './stages/states/eyes.ts';
import { MASK_THRESHOLD, maskScore } from './stages/states/mask.ts';
import { estimateMouth, measureMouth, mouthInPasses, mouthOdds } from './stages/states/mouth.ts';
import { modelsWithin, startStopwatch } from './stages/stopwatch.ts';
import { type FaceVectors, faceVectors } from './stages/template/face-vectors.ts';
import type { Analysis, AnalyzeRequest, Attribute, Face, ImageLimits, Pose, Search } from './types.ts';

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
  const decoded = await findWithDetail(searchersFor(request, within), decode, request);
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
 * Decodes a picture and finds its faces with all pixels of the detector, without measuring them.
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
  return findIn(withAllPixels(models), await decodeImage(image, limits), search, maxFaces);
}

/** Attributes that judge liveness: they were fitted to faces that were found with all pixels of the detector. */
const OF_LIVENESS: readonly Attribute[] = [
  ...(['spoof', 'eyes', 'mouth', 'gaze', 'mesh'] as const),
  ...(['perceptualHash', 'skin', 'colours'] as const),
];

function searchersFor({ attributes }: AnalyzeRequest, models: Models): Models {
  return attributes.some((attribute) => OF_LIVENESS.includes(attribute)) ? withAllPixels(models) : models;
}

/** The models without the look with few pixels (docs/adr/0056-a-large-face-is-found-with-few-pixels.md). */
function withAllPixels({ detector, ...others }: Models): Models {
  return { ...others, detector: { ...detector, smaller: undefined } };
}

/** Attributes that are measured on the finest detail that is kept. */
const DETAILED: readonly Attribute[] = [
  ...(['spoof', 'quality', 'qualityComponents'] as const),
  ...(['skin', 'perceptualHash', 'colours'] as const),
];
/** Attributes of the aligned crop, which has 112 pixels for the built-in embedder. */
const ALIGNED: readonly Attribute[] = ['embedding', 'quickEmbedding', 'mask'];

/** Least size of a face, kept pixels, from which what is cut out for the attributes has no more detail. */
function leastFace({ recipe }: Models, attributes: readonly Attribute[]): number {
  if (attributes.includes('crop')) return 205;
  if (recipe === null || attributes.length === 0) return 150;
  return attributes.every((attribute) => ALIGNED.includes(attribute)) ? 100 : 150;
}

/**
 * Large pictures are decoded coarsely first: again only where a face is small there, or none is found at once. Faces of
 * middle size get the coarsest copy that suffices; tiny ones are looked for again, as some are none.
 */
async function findWithDetail(
  models: Models,
  decode: (least: number) => Promise<Picture>,
  { attributes, maxFaces, search, known }: AnalyzeRequest,
): Promise<DecodedFaces> {
  if (known) {
    const picture = await decode(1);
    return { picture, from: sampler(picture), faces: [faceOf(known)], found: 1 };
  }
  const mayBeCoarse = search === 'fast' && !attributes.some((attribute) => DETAILED.includes(attribute));
  const first = await decode(mayBeCoarse ? 0 : 1);
  if (!first.coarse) return findIn(models, first, search, maxFaces);
  const quick = await findIn(models, first, 'whole', maxFaces);
  const sizes = quick.faces.slice(0, maxFaces).map(({ box }) => Math.min(box.width, box.height));
  const sufficient = quick.found > 0 ? Math.min(1, leastFace(models, attributes) / Math.min(...sizes)) : 1;
  if (sufficient <= first.scale) return quick;
  const picture = await decode(sufficient);
  return picture.coarse
    ? closer(models, picture, quick, maxFaces)
    : findIn(models, picture, search, maxFaces);
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

async function findIn(
  models: Models,
  picture: Picture,
  search: Search | 'whole',
  maxFaces: number,
): Promise<DecodedFaces> {
  const from = sampler(picture);
  return { picture, from, ...(await findFaces(models, from, search, maxFaces)) };
}

/** The kept pixels of a picture. */
export function keptPixels({ pixels, keptWidth, keptHeight }: Picture): RgbPixels {
  return { data: pixels, width: keptWidth, height: keptHeight };
}

/** What two attributes share is computed once. */
async function measure(
  models: Models,
  { picture, from, faces }: DecodedFaces,
  found: FoundFace,
  { attributes, minFaceSize }: AnalyzeRequest,
): Promise<Face> {
  const { mesh, box, detection } = found;
  const requested = (...any: Attribute[]) => any.some((attribute) => attributes.includes(attribute));
  const everything = requested('gaze', 'mesh', 'colours', 'qualityComponents');
  const passes = meshPasses(models.mesh, from, found, everything);
  const shape = everything ? await passes.all() : undefined;
  const pose = requested('pose', 'eyes', 'quality', 'qualityComponents')
    ? poseOf(await passes.narrow())
    : undefined;
  const seen = requested('gaze') ? await measureEyes(models.iris, from, shape!) : undefined;
  const eyesOf = async () =>
    seen ? estimateEyes(seen.openness, pose!.yaw) : eyesInPasses(models.iris, from, passes, pose!.yaw);
  const oddsOfMouth = async () =>
    shape ? mouthOdds(measureMouth(from, shape)) : mouthInPasses(from, passes);
  const vectors = faceVectors(models, from, mesh);
  const light = memoize(() => measureLight(innerFace(from, mesh)));
  const mask = memoize(() => maskOf(vectors));
  return {
    box,
    score: detection.score,
    meshScore: mesh.score,
    landmarks: landmarksOf(mesh),
    ...(await templatesOf(vectors, attributes)),
    ...(requested('pose') && { pose: pose! }),
    ...(requested('eyes') && { eyes: await eyesOf() }),
    ...(requested('gaze') && { gaze: seen!.gaze }),
    ...(requested('mouth') && { mouth: estimateMouth(await oddsOfMouth(), await mask()) }),
    ...(requested('mask') && { mask: await mask() }),
    ...(requested('spoof') && { spoof: await spoofOf(models, picture, from, found, light()) }),
    ...(requested('quality') && { quality: qualityOfFace(picture, found, pose!, light(), minFaceSize) }),
    ...(requested('qualityComponents') && {
      qualityComponents: qualityComponents(from, {
        mesh: shape!,
        pose: pose!,
        faces: faces.map((face) => face.box),
      }),
    }),
    ...(requested('mesh') && { mesh: shape!.points }),
    ...(requested('perceptualHash') && { perceptualHash: perceptualHashOf(from, mesh) }),
    ...(requested('skin') && { skin: skinOf(from, mesh) }),
    ...(requested('colours') && { colours: coloursOf(from, shape!) }),
    ...(requested('crop') && { crop: await cropOf(picture, box) }),
    ...(requested('place') && { place: numbersOf(found, await passes.narrow()) }),
  };
}

async function templatesOf(vectors: FaceVectors, attributes: readonly Attribute[]) {
  return {
    ...(attributes.includes('embedding') && { embedding: await vectors.template() }),
    ...(attributes.includes('quickEmbedding') && { quickEmbedding: await vectors.quickTemplate() }),
  };
}

/** To be asked for after the template, whose run of the embedder tells it. */
async function maskOf(vectors: FaceVectors) {
  const map = await vectors.map();
  const score = map ? maskScore('map', map) : maskScore('features', await vectors.features());
  return { worn: score >= MASK_THRESHOLD, score };
}

async function spoofOf(
  models: Models,
  picture: Picture,
  from: Sampler,
  { box }: FoundFace,
  light: LightMeasures,
) {
  const face = createPadFace(models, from, keptPixels(picture), box);
  return { ...(await scoreFace(face)), unclear: unclearReasons(face, light) };
}

function qualityOfFace(
  { width, height }: Picture,
  { box }: FoundFace,
  pose: Pose,
  light: LightMeasures,
  minSize?: number,
) {
  return qualityOf({ box, pose, width, height, minSize, light });
}
