import { mirrored } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Models } from '../../runtime/model.ts';
import { toUnitLength } from '../../similarity.ts';
import { inferViews } from '../infer.ts';
import { memoize } from '../memoize.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { alignedView } from './align.ts';
import { mapStatistics } from './map-statistics.ts';
import { applyRecipe } from './template.ts';

/** Outputs of the recognition networks for one face. Each network runs at the first call that needs it, once. */
export interface FaceVectors {
  /** Sums of the embedder's vectors for the face and its mirror image. */
  vectors(): Promise<EmbedderVectors>;
  /**
   * Statistics of the built-in embedder's last feature map for the face, 512 values, see `mapStatistics`; null with
   * another embedder. Costs nothing after `vectors`, else a run for one crop.
   */
  map(): Promise<Float32Array | null>;
  /** Output of the features network, 1024 values. */
  features(): Promise<Float32Array>;
  /** Unit-length template: the descriptor, or what the pack's recipe makes of the embedder's vectors. */
  template(): Promise<Float32Array>;
  /** The same of the face alone, without its mirror image: in half of the time. Costs nothing after `vectors`. */
  quickTemplate(): Promise<Float32Array>;
}

/** `descriptor`; of the built-in embedder also `pooled`, what its last depthwise convolution makes of the map. */
export interface EmbedderVectors {
  readonly descriptor: Float32Array;
  readonly pooled?: Float32Array;
}

/** Vectors of the face that the mesh lies on, shared by template, mask and training. */
export function faceVectors(models: Models, from: Sampler, mesh: Mesh): FaceVectors {
  const { embedder, features: featuresNetwork, recipe } = models;
  const view = memoize(() => alignedView(embedder, mesh));
  let both: ReturnType<typeof inferViews> | undefined;
  const vectorsOf = (output: Awaited<ReturnType<typeof inferViews>>, of: typeof sumOfHalves) => ({
    descriptor: of(output('descriptor')),
    ...(recipe !== null && { pooled: of(output('pooled')) }),
  });
  const vectors = memoize(async (): Promise<EmbedderVectors> => {
    both = inferViews(embedder, from, [view(), mirrored(view(), embedder.spec.input.width)]);
    return vectorsOf(await both, sumOfHalves);
  });
  const alone = memoize(() => inferViews(embedder, from, [view()]));
  const ofFace = async () => (both ? { output: await both, crops: 2 } : { output: await alone(), crops: 1 });
  const map = memoize(async () => {
    if (recipe === null) return null;
    const { output } = await ofFace();
    return mapStatistics(output('map').subarray(0, MAP_PLACES * MAP_CHANNELS), MAP_CHANNELS);
  });
  const features = memoize(async () => {
    const aligned = alignedView(featuresNetwork, mesh);
    return (await inferViews(featuresNetwork, from, [aligned]))('features');
  });
  const templateOf = (own: EmbedderVectors) =>
    recipe === null ? toUnitLength(own.descriptor) : applyRecipe(recipe, own);
  const template = async () => templateOf(await vectors());
  const quickTemplate = async () => {
    const { output, crops } = await ofFace();
    return templateOf(vectorsOf(output, (values) => values.slice(0, values.length / crops)));
  };
  return { vectors, map, features, template, quickTemplate };
}

/** Size of the built-in embedder's last feature map, 7 × 7 places. */
const MAP_PLACES = 49;
const MAP_CHANNELS = 128;

/** Sum of the outputs for two crops. */
function sumOfHalves(outputs: Float32Array): Float32Array {
  const length = outputs.length / 2;
  return outputs.slice(0, length).map((value, i) => value + outputs[i + length]!);
}
