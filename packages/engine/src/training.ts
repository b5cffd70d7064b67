import type { Picture } from './imaging/decode.ts';
import { sampler } from './imaging/sampler.ts';
import type { OpenPack } from './packs/pack.ts';
import { measurePadSignals, type PadSignalValues } from './pad/evidence.ts';
import { createPadFace, type PadSignal } from './pad/signal.ts';
import { PAD_SIGNALS } from './pad/signals.ts';
import type { RgbPixels } from './pad/view.ts';
import { type DecodedFaces, decodeAndFind } from './stages/detection/decode-and-find.ts';
import type { FoundFace } from './stages/detection/find-faces.ts';
import { averagedMesh } from './stages/mesh/averaged-mesh.ts';
import { type Models, modelsOf } from './stages/model.ts';
import { measureEyes, type Openness } from './stages/states/eyes.ts';
import { type MouthMeasures, measureMouth } from './stages/states/mouth.ts';
import { type FaceVectors, faceVectors, memoize } from './stages/template/evidence.ts';
import type { AnalyzeRequest, Box } from './types.ts';

/** What only training and evaluation need; a server must not import it. */
export { cofactors, fitRotation, type Matrix3, rotate } from './imaging/geometry-3d.ts';
export { openBuiltinPack } from './packs/builtin.ts';
export { openPack } from './packs/choose.ts';
export type { OpenPack } from './packs/pack.ts';
export { namesDigest } from './pad/fusion.ts';
export { relativePose } from './stages/mesh/pose.ts';
export { type PiecewiseLinear, piecewiseLinear } from './stages/states/piecewise-linear.ts';
export { applyRecipe, type TemplatePart, type TemplateRecipe } from './stages/template/template.ts';
export { PAD_SIGNALS, type PadSignal, type PadSignalValues, type RgbPixels };

const LIMITS = { maxBytes: 64 << 20, maxPixels: 100e6 } as const;

/** A face with what the learned measures are trained on; each is computed when it is asked for. */
export interface TrainingFace {
  /** In the pixels of `WorkbenchPicture.pixels`, which may be fewer than the picture's. */
  readonly box: Box;
  /** 0…1 */
  readonly meshScore: number;
  /** x, y, z of 468 points, pixels of the full-size picture: the first mesh, which alignment goes by. */
  readonly mesh: Float32Array;
  /** The same from several looks at the face, as its angles are measured on. */
  poseMesh(): Promise<Float32Array>;
  /** 1024 values of the features network on the aligned face. */
  features(): Promise<Float32Array>;
  /** What the embedder says: the face and its mirror image added. */
  descriptor(): Promise<Float32Array>;
  /** Unit-length template. */
  embedding(): Promise<Float32Array>;
  /** How far each eye is open. */
  openness(): Promise<Openness>;
  /** What tells an open mouth. */
  mouth(): Promise<MouthMeasures>;
  /** Values of every cue of the spoof measure. */
  padSignals(): Promise<PadSignalValues>;
}

/** A decoded picture and its faces, the most prominent first. */
export interface TrainingPicture {
  readonly pixels: RgbPixels;
  readonly faces: readonly TrainingFace[];
}

/**
 * Opens a picture up for training and calibration: intermediate results that the service keeps to itself.
 * @throws EngineError `imageType` | `imageBroken`
 */
export async function extractTrainingFeatures(
  pack: OpenPack,
  bytes: Uint8Array,
  search: AnalyzeRequest['search'],
): Promise<TrainingPicture> {
  const models = modelsOf(pack);
  const look = await decodeAndFind(models, bytes, search, LIMITS);
  return {
    pixels: keptPixels(look.picture),
    faces: look.faces.map((face) => trainingFace(models, look, face)),
  };
}

function trainingFace(models: Models, { from, picture }: DecodedFaces, face: FoundFace): TrainingFace {
  const { box, mesh } = face;
  const evidence: FaceVectors = faceVectors(models, from, mesh);
  const quiet = memoize(() => averagedMesh(models.mesh, from, face));
  const { scale } = picture;
  return {
    box: { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale },
    meshScore: mesh.score,
    mesh: mesh.points,
    features: evidence.features,
    descriptor: evidence.descriptor,
    embedding: evidence.template,
    poseMesh: async () => (await quiet()).poseMesh.points,
    mouth: async () => measureMouth(from, (await quiet()).shape),
    openness: async () => measureEyes(models.iris, from, (await quiet()).shape),
    padSignals: () => measurePadSignals(PAD_SIGNALS, createPadFace(models, from, keptPixels(picture), box)),
  };
}

/**
 * The same of a picture that is not in a file, for simulated ones.
 * @param box of the face, in these pixels
 */
export async function padSignalsOf(
  pack: OpenPack,
  pixels: RgbPixels,
  box: Box,
  cues: readonly PadSignal[] = PAD_SIGNALS,
): Promise<PadSignalValues> {
  const { data, width, height } = pixels;
  const from = sampler({
    pixels: data,
    keptWidth: width,
    keptHeight: height,
    width,
    height,
    scale: 1,
    format: 'png',
  });
  const models = modelsOf(pack);
  return measurePadSignals(cues, createPadFace(models, from, pixels, box));
}

function keptPixels({ pixels, keptWidth, keptHeight }: Picture): RgbPixels {
  return { data: pixels, width: keptWidth, height: keptHeight };
}
