import type { NetworkManifest } from '../packs/manifest.ts';
import type { Network, OpenPack, Role } from '../packs/pack.ts';
import type { Crop } from '../sampler.ts';

/** A network with what its pack says about it: input size, normalisation, alignment, threshold. */
export interface Model {
  readonly network: Network;
  readonly spec: NetworkManifest;
}

export type Models = Readonly<Record<Role, Model>>;

/** The networks of an open pack, each with its description. */
export function modelsOf({ networks, manifest }: OpenPack): Models {
  const pair = (role: Role): Model => ({ network: networks[role], spec: manifest.networks[role] });
  return {
    detector: pair('detector'),
    mesh: pair('mesh'),
    iris: pair('iris'),
    features: pair('features'),
    embedder: pair('embedder'),
  };
}

/**
 * Runs a model on crops of its input size (RGB 0…255), all in one batch.
 * @returns reads one output by name: the values of all crops, one after the other
 */
export async function infer(model: Model, crops: readonly Crop[]): Promise<(output: string) => Float32Array> {
  const { height, width } = model.spec.input;
  const data = normalise(crops, model.spec.normalisation);
  const outputs = await model.network.run({
    [model.network.inputs[0]!]: { data, dims: [crops.length, 3, height, width] },
  });
  return (output) => {
    const tensor = outputs[output];
    if (tensor === undefined) throw new Error(`${model.spec.file} has no output ${output}.`);
    return tensor.data;
  };
}

function normalise(
  crops: readonly Crop[],
  { mean, divisor }: NetworkManifest['normalisation'],
): Float32Array {
  const { width, height } = crops[0]!;
  const plane = width * height;
  const data = new Float32Array(crops.length * plane * 3);
  let to = 0;
  for (const crop of crops) {
    for (let channel = 0; channel < 3; channel++) {
      const minus = mean[channel]!;
      for (let at = channel * plane, end = at + plane; at < end; at++) {
        data[to++] = (crop.data[at]! - minus) / divisor;
      }
    }
  }
  return data;
}
