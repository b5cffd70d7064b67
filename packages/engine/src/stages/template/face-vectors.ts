import { mirrored } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { inferViews, type Model, type Models } from '../model.ts';
import { alignedView } from './align.ts';
import { mapStatistics } from './map-statistics.ts';
import { applyRecipe, type TemplatePart, toUnitLength } from './template.ts';

/** Outputs of the recognition networks for one face. Each network runs at the first call that needs it, once. */
export interface FaceVectors {
  /** Sums of the embedder's vectors for the face and its mirror image. */
  vectors(): Promise<EmbedderVectors>;
  /**
   * Mean and deviation of the channels of the built-in embedder's last feature map, see `mapStatistics`; null with
   * another embedder.
   */
  map(): Promise<Float32Array | null>;
  /** Output of the features network, 1024 values. */
  features(): Promise<Float32Array>;
  /** Unit-length template: the descriptor, or what the pack's recipe makes of the embedder's vectors. */
  template(): Promise<Float32Array>;
}

/** `descriptor`; of the built-in embedder also `pooled`, what its last depthwise convolution makes of the map. */
export type EmbedderVectors = Readonly<Partial<Record<TemplatePart['of'], Float32Array>>>;

/** Vectors of the face that the mesh lies on, shared by template, mask and training. */
export function faceVectors(models: Models, from: Sampler, mesh: Mesh): FaceVectors {
  const { embedder, features: featuresNetwork, recipe } = models;
  const embedded = memoize(() => embed(embedder, recipe !== null, from, mesh));
  const features = memoize(async () => {
    const view = alignedView(featuresNetwork, mesh);
    return (await inferViews(featuresNetwork, from, [view]))('features');
  });
  const template = async () => {
    const { vectors } = await embedded();
    return recipe === null ? toUnitLength(vectors.descriptor!) : applyRecipe(recipe, vectors);
  };
  return {
    vectors: async () => (await embedded()).vectors,
    map: async () => (await embedded()).map,
    features,
    template,
  };
}

/** Channels of the built-in embedder's last feature map, which has 7 × 7 places. */
const MAP_CHANNELS = 128;

async function embed(
  embedder: Model,
  builtIn: boolean,
  from: Sampler,
  mesh: Mesh,
): Promise<{ vectors: EmbedderVectors; map: Float32Array | null }> {
  const view = alignedView(embedder, mesh);
  const output = await inferViews(embedder, from, [view, mirrored(view, embedder.spec.input.width)]);
  const descriptor = sumOfHalves(output('descriptor'));
  if (!builtIn) return { vectors: { descriptor }, map: null };
  const pooled = sumOfHalves(output('pooled'));
  return { vectors: { descriptor, pooled }, map: mapStatistics(output('map'), MAP_CHANNELS) };
}

/** Sum of the outputs for two crops. */
function sumOfHalves(outputs: Float32Array): Float32Array {
  const length = outputs.length / 2;
  return outputs.slice(0, length).map((value, i) => value + outputs[i + length]!);
}

/** Calls `create` at the first call and returns the same value or promise from then on. */
export function memoize<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
