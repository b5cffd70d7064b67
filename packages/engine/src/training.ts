import { type DecodedFaces, decodeAndFind } from './analyze.ts';
import { keptPixels } from './attributes.ts';
import { type PackChoice, preparePack } from './packs/choose.ts';
import type { RgbPixels } from './pad/crops.ts';
import type { Models, Network } from './runtime/model.ts';
import { type OpenPack, openPreparedPack } from './runtime/open-pack.ts';
import type { FoundFace } from './stages/detection/found-face.ts';
import { meshPasses } from './stages/mesh/mesh.ts';
import { type MouthMeasures, measureEyes, measureMouth, type Openness } from './stages/states.ts';
import { type EmbedderVectors, faceVectors } from './stages/template/template.ts';
import type { Box, Search } from './types.ts';

/** What only training and evaluation need; a server must not import it. */
export { cofactors, fitRotation, type Matrix3, rotate } from './imaging/geometry-3d.ts';
export { readRecipe, type TemplatePart, type TemplateRecipe } from './packs/recipe.ts';
export type { OpenPack } from './runtime/open-pack.ts';
export { openNetwork } from './runtime/session.ts';
export { log10Fmr } from './similarity.ts';
export { type PiecewiseLinear, piecewiseLinear } from './stages/maths.ts';
export { relativePose } from './stages/mesh/pose.ts';
export { applyRecipe } from './stages/template/template.ts';
export type { EmbedderVectors, Network, RgbPixels };

/** Prepares and opens a pack, the built-in one unless another is chosen, in the calling thread. @throws EngineError `pack` */
export async function openPack(choice?: PackChoice): Promise<OpenPack> {
  return openPreparedPack(await preparePack(choice));
}

const LIMITS = { maxBytes: 64 << 20, maxPixels: 100e6 } as const;

/** A face with the inputs of learned measures; each is computed on call. */
export interface TrainingFace {
  /** Pixels of `TrainingPicture.pixels`. */
  readonly box: Box;
  /** 0…1 */
  readonly meshScore: number;
  /** First mesh, which alignment uses: x, y, z of 468 points, pixels of the full-size picture. */
  readonly mesh: Float32Array;
  /** Averaged mesh that angles are measured on, as `mesh`. */
  poseMesh(): Promise<Float32Array>;
  /** Output of the features network for the aligned face, 1024 values. */
  features(): Promise<Float32Array>;
  /** Sums of the embedder's vectors for the face and its mirror image. */
  vectors(): Promise<EmbedderVectors>;
  /** Statistics of the built-in embedder's last feature map, 512 values; null with another embedder. */
  map(): Promise<Float32Array | null>;
  /** Unit-length template. */
  embedding(): Promise<Float32Array>;
  openness(): Promise<Openness>;
  mouth(): Promise<MouthMeasures>;
}

/** A decoded picture and its faces, the most prominent first. */
export interface TrainingPicture {
  /** Perhaps at a smaller size than the picture. */
  readonly pixels: RgbPixels;
  readonly faces: readonly TrainingFace[];
}

/**
 * Decodes a picture and finds its faces, with intermediate results that `Engine.analyze` does not return.
 * @throws EngineError `imageType` | `imageBroken`
 */
export async function extractTrainingFeatures(
  pack: OpenPack,
  bytes: Uint8Array,
  search: Search,
): Promise<TrainingPicture> {
  const decoded = await decodeAndFind(pack.models, bytes, search, LIMITS);
  return {
    pixels: keptPixels(decoded.picture),
    faces: decoded.faces.map((face) => trainingFace(pack.models, decoded, face)),
  };
}

function trainingFace(models: Models, { from, picture }: DecodedFaces, face: FoundFace): TrainingFace {
  const { box, mesh } = face;
  const { features, vectors, map, template } = faceVectors(models, from, mesh);
  const passes = meshPasses(models.mesh, from, face, true);
  const { scale } = picture;
  return {
    box: { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale },
    meshScore: mesh.score,
    mesh: mesh.points,
    features,
    vectors,
    map,
    embedding: template,
    poseMesh: async () => (await passes.narrow()).points,
    mouth: async () => measureMouth(from, await passes.all()),
    openness: async () => (await measureEyes(models.iris, from, await passes.all())).openness,
  };
}
