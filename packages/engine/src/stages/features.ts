import type { Network } from '../packs/pack.ts';
import type { Crop } from '../sampler.ts';
import { batch } from './tensor.ts';

/** Side of the aligned face that the feature network takes, in pixels. */
export const FEATURES_SIZE = 224;

const FEATURES = 1024;

/** General face features (1024 values) of an aligned face, RGB 0…255: what the mask classifier reads. */
export async function featuresOf(network: Network, aligned: Crop): Promise<Float32Array> {
  const outputs = await network.run({ [network.inputs[0]!]: batch([aligned], 1, 0) });
  const features = Object.values(outputs).find(({ data }) => data.length === FEATURES);
  if (features === undefined) throw new Error(`The feature network has no output of ${FEATURES} values.`);
  return features.data;
}
