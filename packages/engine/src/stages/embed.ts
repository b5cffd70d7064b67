import type { Network } from '../packs/pack.ts';
import type { Crop } from '../sampler.ts';
import { batch, mirrorCrop } from './tensor.ts';

/** Side of the aligned face that the embedder takes, in pixels. */
export const EMBED_SIZE = 150;

/** Mean colour of dlib's training pictures, and its divisor. */
const MEAN = [122.782, 117.001, 104.298] as const;
const DIVISOR = 256;
const SHIFT = [-MEAN[0] / DIVISOR, -MEAN[1] / DIVISOR, -MEAN[2] / DIVISOR] as const;

/**
 * Template of an aligned face: mean of the face and its mirror image, scaled to unit length, so that the inner
 * product of two templates is their cosine. The mirror image lowers the false non-matches by about a quarter.
 */
export async function embed(network: Network, aligned: Crop): Promise<Float32Array> {
  const input = batch([aligned, mirrorCrop(aligned)], 1 / DIVISOR, SHIFT);
  const outputs = await network.run({ [network.inputs[0]!]: input });
  const { data } = outputs[network.outputs[0]!]!;
  const dimensions = data.length / 2;
  const template = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) template[i] = data[i]! + data[i + dimensions]!;
  return unit(template);
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
