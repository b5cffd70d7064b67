import type { Crop } from '../../imaging/sampler.ts';
import { infer, type Model } from '../model.ts';

/** General features (1024 values) of an aligned face: what the mask classifier reads, and part of templates. */
export async function featuresOf(features: Model, aligned: Crop): Promise<Float32Array> {
  return (await infer(features, [aligned]))('features');
}
