import type { Crop } from '../imaging/sampler.ts';
import type { NetworkManifest, Role } from '../packs/manifest.ts';
import type { TemplateRecipe } from './template/template.ts';

/** A dense float32 tensor, row-major. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** One open network. */
export interface Network {
  /** Names of the inputs and outputs, in the model's order. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Runs on the calling thread and blocks it. Keys are input names, results are by output name. */
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>>;
  close(): Promise<void>;
}

/** A network with its manifest: input size, normalisation, alignment, threshold. */
export interface Model {
  readonly network: Network;
  readonly spec: NetworkManifest;
}

/** PAD networks for a near and a wide crop. */
export type PadNetworks = Readonly<Record<'near' | 'wide', Model>>;

/** The models of a pack. */
export type Models = Readonly<Record<Role, Model>> & {
  /** Template recipe; null where templates are the embedder's output. */
  readonly recipe: TemplateRecipe | null;
  /** Null when none are installed. */
  readonly padNetworks: PadNetworks | null;
};

/**
 * Runs a model on crops of its input size (RGB 0…255), in one batch where the model supports it.
 * @returns function from the name of an output to its values for all crops, concatenated
 * @throws Error when the model has no output of that name
 */
export async function infer(model: Model, crops: readonly Crop[]): Promise<(output: string) => Float32Array> {
  const batches = model.spec.input.single ? crops.map((crop) => [crop]) : [crops];
  const outputs: Record<string, Tensor>[] = [];
  for (const batch of batches) outputs.push(await run(model, batch));
  return (output) => {
    const parts = outputs.map((result) => result[output]);
    if (parts.includes(undefined)) throw new Error(`${model.spec.file} has no output ${output}.`);
    return joined(parts.map((part) => part!.data));
  };
}

function run({ network, spec }: Model, crops: readonly Crop[]): Promise<Record<string, Tensor>> {
  const { height, width, order } = spec.input;
  const data = normalise(crops, spec.normalisation, order === 'bgr' ? [2, 1, 0] : [0, 1, 2]);
  return network.run({ [network.inputs[0]!]: { data, dims: [crops.length, 3, height, width] } });
}

function joined(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function normalise(
  crops: readonly Crop[],
  { mean, divisor }: NetworkManifest['normalisation'],
  planes: readonly number[],
): Float32Array {
  const { width, height } = crops[0]!;
  const plane = width * height;
  const data = new Float32Array(crops.length * plane * 3);
  let to = 0;
  for (const crop of crops) {
    for (let channel = 0; channel < 3; channel++) {
      const minus = mean[channel]!;
      const by = typeof divisor === 'number' ? divisor : divisor[channel]!;
      const start = planes[channel]! * plane;
      for (let at = start, end = at + plane; at < end; at++) data[to++] = (crop.data[at]! - minus) / by;
    }
  }
  return data;
}
