import { mirrored } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import { dimensionsOf, type TemplatePart, type TemplateRecipe } from '../../packs/recipe.ts';
import type { Models } from '../../runtime/model.ts';
import { toUnitLength } from '../../similarity.ts';
import { inferViews } from '../infer.ts';
import { memoize } from '../maths.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { alignedView } from './align.ts';

/**
 * Unit-length template: each part is centred, whitened by its matrix and brought to unit length, then all are weighted
 * and concatenated. The inner product of two templates is the weighted mean of the parts' cosines.
 * @param vectors of the embedder
 * @throws RangeError for a vector of another length than the recipe's
 */
export function applyRecipe(
  recipe: TemplateRecipe,
  vectors: Readonly<Partial<Record<TemplatePart['of'], Float32Array | undefined>>>,
): Float32Array {
  const template = new Float32Array(dimensionsOf(recipe));
  let at = 0;
  for (const part of recipe) {
    const values = projected(part, vectors[part.of]);
    const by = Math.sqrt(part.weight);
    for (const value of values) template[at++] = value * by;
  }
  return toUnitLength(template);
}

function projected(
  { of, centre, matrix }: TemplatePart,
  vector: Float32Array = new Float32Array(),
): Float32Array {
  const width = centre.length;
  if (vector.length !== width) {
    throw new RangeError(`template: ${width} values of ${of} are needed, found ${vector.length}`);
  }
  const from = toUnitLength(vector);
  for (let i = 0; i < width; i++) from[i]! -= centre[i]!;
  const to = new Float32Array(matrix.length / width);
  // Sums of four rows at a time: each waits for its own last addition.
  for (let row = 0; row < to.length; row += 4) {
    const [a, b, c, d] = [row, row + 1, row + 2, row + 3].map((one) => Math.min(one, to.length - 1) * width);
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
    for (let i = 0; i < width; i++) {
      const value = from[i]!;
      sumA += matrix[a! + i]! * value;
      sumB += matrix[b! + i]! * value;
      sumC += matrix[c! + i]! * value;
      sumD += matrix[d! + i]! * value;
    }
    to.set([sumA, sumB, sumC, sumD].slice(0, to.length - row), row);
  }
  return toUnitLength(to);
}

/** Rows of the upper half of the map: brow and eyes; nose, mouth and chin lie below. */
const UPPER = 4;

/**
 * Mean and standard deviation of each channel of a square feature map over its upper and its lower half: what covers the
 * lower half of a face changes the one and not the other.
 * @param map [height × width, channels]
 * @returns means of the upper half by channel, then its deviations, then the same of the lower half
 */
function mapStatistics(map: Float32Array, channels: number): Float32Array {
  const border = UPPER * Math.sqrt(map.length / channels) * channels;
  const statistics = new Float32Array(4 * channels);
  [map.subarray(0, border), map.subarray(border)].forEach((half, i) => {
    const own = statistics.subarray(2 * i * channels);
    for (let channel = 0; channel < channels; channel++) {
      const [mean, deviation] = momentsOf(half, channel, channels);
      own[channel] = mean;
      own[channels + channel] = deviation;
    }
  });
  return statistics;
}

function momentsOf(map: Float32Array, channel: number, channels: number): [mean: number, deviation: number] {
  let [sum, squares] = [0, 0];
  for (let at = channel; at < map.length; at += channels) {
    const value = map[at]!;
    sum += value;
    squares += value * value;
  }
  const places = map.length / channels;
  const mean = sum / places;
  return [mean, Math.sqrt(Math.max(0, squares / places - mean * mean))];
}

/** Outputs of the recognition networks for one face. Each network runs at the first call that needs it, once. */
export interface FaceVectors {
  /** Sums of the embedder's vectors for the face and its mirror image; with a second embedder, of both for the face alone. */
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
  /** The same of the face alone, without its mirror image: a run less where there is one embedder. Free after `vectors`. */
  quickTemplate(): Promise<Float32Array>;
}

/**
 * `descriptor`; of the built-in embedder also `pooled`, what its last depthwise convolution makes of the map, and `second`,
 * the vector of the second embedder, if the pack has one.
 */
export interface EmbedderVectors {
  readonly descriptor: Float32Array;
  readonly pooled?: Float32Array;
  readonly second?: Float32Array | undefined;
}

/** Vectors of the face that the mesh lies on, shared by template, mask and training. */
export function faceVectors(models: Models, from: Sampler, mesh: Mesh): FaceVectors {
  const { embedder, secondEmbedder, features: featuresNetwork, recipe } = models;
  const view = memoize(() => alignedView(embedder, mesh));
  let both: ReturnType<typeof inferViews> | undefined;
  const second = memoize(async () => {
    if (!secondEmbedder) return undefined;
    return (await inferViews(secondEmbedder, from, [alignedView(secondEmbedder, mesh)]))('descriptor');
  });
  const vectorsOf = async (output: Awaited<ReturnType<typeof inferViews>>, of: typeof sumOfHalves) => ({
    descriptor: of(output('descriptor')),
    ...(recipe !== null && { pooled: of(output('pooled')), second: await second() }),
  });
  const alone = memoize(() => inferViews(embedder, from, [view()]));
  const vectors = memoize(async (): Promise<EmbedderVectors> => {
    if (secondEmbedder) return vectorsOf(await alone(), (values) => values.slice());
    both = inferViews(embedder, from, [view(), mirrored(view(), embedder.spec.input.width)]);
    return vectorsOf(await both, sumOfHalves);
  });
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
    return templateOf(await vectorsOf(output, (values) => values.slice(0, values.length / crops)));
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
