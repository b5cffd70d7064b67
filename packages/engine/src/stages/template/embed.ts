import { type Crop, mirrorCrop } from '../../imaging/sampler.ts';
import { infer, type Model } from '../model.ts';

/**
 * What the embedder says about an aligned face: sum of its answers for the face and its mirror image. Brought to unit
 * length it is a template by itself; a pack with a recipe makes more of it (see `template.ts`).
 */
export async function embed(embedder: Model, aligned: Crop): Promise<Float32Array> {
  const answers = (await infer(embedder, [aligned, mirrorCrop(aligned)]))('descriptor');
  const dimensions = answers.length / 2;
  const sum = answers.slice(0, dimensions);
  for (let i = 0; i < dimensions; i++) sum[i]! += answers[i + dimensions]!;
  return sum;
}
