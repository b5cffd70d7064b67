import { type Crop, mirrorCrop } from '../sampler.ts';
import { infer, type Model } from './model.ts';

/**
 * Template of an aligned face: sum of the answers for the face and its mirror image, scaled to unit length, so
 * that the inner product of two templates is their cosine.
 */
export async function embed(embedder: Model, aligned: Crop): Promise<Float32Array> {
  const answers = (await infer(embedder, [aligned, mirrorCrop(aligned)]))('descriptor');
  const dimensions = answers.length / 2;
  const template = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) template[i] = answers[i]! + answers[i + dimensions]!;
  const length = Math.hypot(...template);
  return template.map((value) => value / length);
}
