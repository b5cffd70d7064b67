import type { Scaling } from '../imaging/crop-kernel.ts';
import type { Affine } from '../imaging/geometry.ts';
import type { Crop, Outside, Sampler } from '../imaging/sampler.ts';
import type { NetworkManifest } from '../packs/manifest.ts';
import type { Model, Tensor } from '../runtime/model.ts';

/**
 * Runs a model on crops of its input size (RGB 0…255), in one batch where the model supports it.
 * @returns function from the name of an output to its values for all crops, concatenated
 * @throws Error when the model has no output of that name
 */
export async function infer(model: Model, crops: readonly Crop[]): Promise<(output: string) => Float32Array> {
  const batches = model.spec.input.single ? crops.map((crop) => [crop]) : [crops];
  const outputs: Record<string, Tensor>[] = [];
  for (const batch of batches) {
    const data = new Float32Array(batch.length * batch[0]!.data.length);
    batch.forEach((crop, i) => {
      normalise(crop, model.spec, data.subarray(i * crop.data.length, (i + 1) * crop.data.length));
    });
    outputs.push(await run(model, data, batch.length));
  }
  return (output) => joined(outputs.map((result) => valuesOf(model, result, output)));
}

/**
 * Runs a model on views of a picture, as `infer` on their crops. The crops of a batch lie in one buffer that later runs
 * use again: allocating and freeing them would take longer than cutting them out.
 * @param views map the pixels of the model's input to those of the picture
 */
export async function inferViews(
  model: Model,
  from: Sampler,
  views: readonly Affine[],
  outside: Outside = 'black',
): Promise<(output: string) => Float32Array> {
  const { width, height, single, order } = model.spec.input;
  if (single || order === 'bgr') {
    return infer(
      model,
      views.map((view) => from.crop(view, width, height, outside)),
    );
  }
  const length = 3 * width * height;
  const data = buffers.take(views.length * length);
  const scaling = scalingOf(model.spec);
  views.forEach((view, i) => {
    const crop = { width, height, data: data.subarray(i * length, (i + 1) * length) };
    from.fill(crop, view, outside, scaling);
  });
  const outputs = await run(model, data, views.length).finally(() => buffers.giveBack(data));
  return (output) => valuesOf(model, outputs, output);
}

/** Buffers of batches that no run uses now, by length. */
const buffers = {
  free: new Map<number, Float32Array[]>(),
  take(length: number): Float32Array {
    return this.free.get(length)?.pop() ?? new Float32Array(length);
  },
  giveBack(buffer: Float32Array): void {
    const others = this.free.get(buffer.length);
    if (others) others.push(buffer);
    else this.free.set(buffer.length, [buffer]);
  },
};

function scalingOf({ normalisation: { mean, divisor } }: NetworkManifest): Scaling {
  const by = typeof divisor === 'number' ? [divisor, divisor, divisor] : divisor;
  return { factors: by.map((one) => 1 / one), summands: mean.map((minus, i) => -minus / by[i]!) };
}

function run({ network, spec }: Model, data: Float32Array, count: number): Promise<Record<string, Tensor>> {
  const { height, width } = spec.input;
  return network.run({ [network.inputs[0]!]: { data, dims: [count, 3, height, width] } });
}

function valuesOf({ spec }: Model, outputs: Readonly<Record<string, Tensor>>, name: string): Float32Array {
  const output = outputs[name];
  if (!output) throw new Error(`${spec.file} has no output ${name}.`);
  return output.data;
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
  { width, height, data }: Crop,
  { input, normalisation: { mean, divisor } }: NetworkManifest,
  into: Float32Array,
): void {
  const plane = width * height;
  for (let channel = 0; channel < 3; channel++) {
    const minus = mean[channel]!;
    const by = typeof divisor === 'number' ? divisor : divisor[channel]!;
    const from = (input.order === 'bgr' ? 2 - channel : channel) * plane;
    const to = channel * plane;
    for (let i = 0; i < plane; i++) into[to + i] = (data[from + i]! - minus) / by;
  }
}
