import type { Picture } from './imaging/decode.ts';
import { cropOf } from './imaging/face-crop.ts';
import type { Sampler } from './imaging/sampler.ts';
import type { RgbPixels } from './pad/crops.ts';
import { padFace } from './pad/networks.ts';
import { estimateSpoof } from './pad/score.ts';
import type { Models } from './runtime/model.ts';
import type { FoundFace } from './stages/detection/found-face.ts';
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
import { faceVectors } from './stages/template/template.ts';
import { unclearOf } from './stages/unclear.ts';
import type { AnalyzeRequest, Attribute, Eyes, Face } from './types.ts';

/** A picture, decoded at some scale. */
export interface Copy {
  readonly picture: Picture;
  /** Cuts crops out of the picture. */
  readonly from: Sampler;
}

/** A face, and the copy that tells who it is. */
export interface SeenFace extends Copy {
  readonly found: FoundFace;
}

/** The kept pixels of a picture. */
export function keptPixels({ pixels, keptWidth, keptHeight }: Picture): RgbPixels {
  return { data: pixels, width: keptWidth, height: keptHeight };
}

/** What an attribute runs beside the detector and the mesh of one crop, which find the face. Runs are shared by attributes. */
interface Runs {
  /** Crops of the mesh: four narrow ones, all seven, these only where the narrow ones leave a state in doubt; six that settle. */
  readonly mesh?: 'narrow' | 'all' | 'doubtful' | 'settled';
  /** Crops of each eye: three, or one and these where it leaves the state in doubt. */
  readonly iris?: 'all' | 'doubtful';
  /**
   * Crops of the embedder: the face, or with its mirror image (alone, where a second embedder runs too); `covering`: the
   * face, for what may cover it, unless the request says that nothing does. With another pack's embedder the features
   * network tells what the embedder would.
   */
  readonly embedder?: 'mirrored' | 'alone' | 'covering';
  /** The networks of presentation attack detection. */
  readonly pad?: true;
}

/** How an attribute is measured. */
interface Measure<Value> {
  /** Pixels of a face from which what is cut out for the attribute has no more detail; what its template tells has none of its own. */
  readonly least: number;
  readonly runs: Runs;
  of(face: MeasuredFace): Value | Promise<Value>;
}

/** Measured on the finest detail that is kept. */
const FINEST = Number.POSITIVE_INFINITY;
const FITTED = 150;

/** The attributes in the order in which they are measured, and what runs for each. */
export const measures: { readonly [Name in Attribute]: Measure<Required<Face>[Name]> } = {
  embedding: { least: 0, runs: { embedder: 'mirrored' }, of: ({ vectors }) => vectors.template() },
  quickEmbedding: { least: 0, runs: { embedder: 'alone' }, of: ({ vectors }) => vectors.quickTemplate() },
  pose: { least: FITTED, runs: { mesh: 'narrow' }, of: ({ pose }) => pose() },
  eyes: { least: FITTED, runs: { mesh: 'doubtful', iris: 'doubtful', embedder: 'covering' }, of: eyesOf },
  gaze: {
    least: FITTED,
    runs: { mesh: 'all', iris: 'all' },
    of: async ({ irises }) => (await irises()).gaze,
  },
  mouth: { least: FITTED, runs: { mesh: 'doubtful', embedder: 'covering' }, of: mouthOf },
  mask: { least: 0, runs: { embedder: 'alone' }, of: ({ mask }) => mask() },
  spoof: { least: FINEST, runs: { pad: true }, of: spoofOf },
  quality: { least: FINEST, runs: { mesh: 'narrow', embedder: 'alone' }, of: qualityOfFace },
  unclear: {
    least: 0,
    runs: { embedder: 'alone' },
    of: async ({ unclear }) => unclearRules(await unclear()),
  },
  mesh: { least: FITTED, runs: { mesh: 'all' }, of: async ({ passes }) => (await passes.all()).points },
  shape: {
    least: FITTED,
    runs: { mesh: 'narrow' },
    of: async ({ passes }) => shapeOf(await passes.narrow()),
  },
  settledShape: {
    least: FITTED,
    runs: { mesh: 'settled' },
    of: async ({ passes, light }) => shapeOf(await passes.settled(light().brightness)),
  },
  skin: { least: FINEST, runs: {}, of: ({ from, mesh }) => skinOf(from, mesh) },
  crop: { least: 205, runs: {}, of: ({ picture, box }) => cropOf(picture, box) },
};

export function leastOf({ attributes }: AnalyzeRequest): number {
  return Math.max(0, ...attributes.map((name) => measures[name].least));
}

/** What several attributes decide together. */
function planOf({ attributes, uncovered = false }: AnalyzeRequest) {
  const any = <Network extends keyof Runs>(network: Network, run: Runs[Network]) =>
    attributes.some((name) => measures[name].runs[network] === run);
  return {
    wholeMesh: any('mesh', 'all'),
    allIrises: any('iris', 'all'),
    mirrored: any('embedder', 'mirrored'),
    uncovered,
  };
}

/** @param detail copy of the picture in the detail that the attributes take */
export async function measure(
  models: Models,
  seen: SeenFace,
  detail: Copy,
  request: AnalyzeRequest,
): Promise<Face> {
  const { mesh, box, detection } = seen.found;
  const face = measuredFace(models, seen, detail, request);
  const measured: Partial<Record<Attribute, unknown>> = {};
  for (const [name, { of }] of Object.entries(measures) as [Attribute, Measure<unknown>][]) {
    if (request.attributes.includes(name)) measured[name] = await of(face);
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
  request: AnalyzeRequest,
) {
  const { mesh, box } = found;
  const plan = planOf(request);
  const passes = meshPasses(models.mesh, from, found, plan.wholeMesh);
  const vectors = faceVectors(models, seenIn, mesh);
  const pose = memoize(async () => poseOf(await passes.narrow()));
  const irises = memoize(async () => measureEyes(models.iris, from, await passes.all()));
  const light = memoize(() => measureLight(innerFace(from, mesh)));
  const told = memoize(async (): Promise<Told> => {
    // Its run tells them as well.
    if (plan.mirrored) await vectors.vectors();
    const map = await vectors.map();
    return map ? ['map', map] : ['features', await vectors.features()];
  });
  const mask = memoize(async () => {
    const score = maskScore(...(await told()));
    return { worn: score >= MASK_THRESHOLD, score };
  });
  const unclear = memoize(async () => unclearOf(...(await told()), mesh));
  const own = { picture, from, found, mesh, box, minFaceSize: request.minFaceSize, plan };
  return { ...own, models, passes, vectors, pose, irises, light, mask, unclear };
}

async function eyesOf({ unclear, ...face }: MeasuredFace): Promise<Eyes> {
  const seen = await seenEyes(face);
  return face.plan.uncovered ? seen : coveredOr(seen, (await unclear()).covered);
}

async function seenEyes({
  models,
  from,
  plan,
  passes,
  pose,
  irises,
}: Omit<MeasuredFace, 'unclear'>): Promise<Eyes> {
  const { yaw } = await pose();
  if (!plan.allIrises) return eyesInPasses(models.iris, from, passes, yaw);
  return estimateEyes((await irises()).openness, yaw);
}

async function mouthOf({ from, plan, passes, mask }: MeasuredFace) {
  const measured = async () => mouthOdds(measureMouth(from, await passes.all()));
  const odds = await (plan.wholeMesh ? measured() : mouthInPasses(from, passes));
  return estimateMouth(odds, plan.uncovered ? { worn: false, score: 0 } : await mask());
}

async function spoofOf({ models, picture, from, box, light }: MeasuredFace) {
  return estimateSpoof(models.padNetworks, padFace(from.width, keptPixels(picture), box), light());
}

async function qualityOfFace({ picture, box, pose, light, unclear, minFaceSize }: MeasuredFace) {
  const { width, height } = picture;
  const seen = { pose: await pose(), light: light(), unclear: await unclear() };
  return qualityOf({ box, width, height, minSize: minFaceSize, ...seen });
}
