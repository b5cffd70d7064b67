import type { Constant } from '../onnx.ts';
import type { QuantisedValue } from './quantised-values.ts';

/** Weights of a convolution: filter [out, in or 1, height, width]. */
interface Weights {
  readonly filter: Constant;
  readonly bias: Float32Array;
}

/** A quantised filter, and the bias that makes up for the mean error of its rounding. */
export interface QuantisedFilter {
  readonly data: Int8Array;
  /** By output channel. */
  readonly scales: Float32Array;
  readonly bias: Float64Array;
}

/** Quantised biases must stay within this many steps. */
const MOST_STEPS = 2 ** 30;

/**
 * @NOTE pairs
 * Without VNNI, x64 processors add products of uint8 × int8 in pairs, as saturated numbers of sixteen bits. The weights of a
 * pair therefore add up to at most 128: 255 × 128 ≤ 32767. The limit is a little less, as both weights may be rounded up.
 * Kernels of depthwise convolutions add in 32 bits.
 */
const MOST_OF_PAIR = 127.999;

/**
 * Symmetric quantisation of each output channel to −127…127, or to less where pairs of products could overflow. The
 * rounding of weights shifts the mean of an output by the error times the mean of the input, which is subtracted from the
 * bias (bias correction, Nagel et al. 2019, https://arxiv.org/abs/1906.04721): without it the errors add up from layer to
 * layer.
 * @param scale of the input
 */
export function quantisedFilter(
  { filter, bias }: Weights,
  input: QuantisedValue,
  scale: number,
): QuantisedFilter {
  const [outputs = 1, inputs = 1] = filter.dims;
  const weights = filter.data as Float32Array;
  const size = weights.length / outputs;
  const depthwise = inputs === 1 && input.means.length === outputs;
  const pairs = depthwise ? [] : pairsOf(size, inputs);
  const data = new Int8Array(weights.length);
  const scales = new Float32Array(outputs);
  const corrected = Float64Array.from(bias);
  for (let out = 0; out < outputs; out++) {
    const own = weights.subarray(out * size, (out + 1) * size);
    // A channel of zeros may have a bias.
    const least = Math.max(Math.abs(bias[out]!) / scale / MOST_STEPS, 1e-12);
    const step = Math.fround(Math.max(stepOf(own, pairs), least));
    scales[out] = step;
    own.forEach((weight, i) => {
      const whole = Math.max(-127, Math.min(127, Math.round(weight / step)));
      data[out * size + i] = whole;
      const channel = depthwise ? out : Math.floor((i * inputs) / size);
      corrected[out]! += (weight - whole * step) * meanOf(input, channel);
    });
  }
  return { data, scales, bias: corrected };
}

/** Places in a filter [in, height, width] whose products are added in pairs: in the order of rows, columns, channels. */
function pairsOf(size: number, inputs: number): [number, number][] {
  const at = (k: number) => (k % inputs) * (size / inputs) + Math.floor(k / inputs);
  return Array.from({ length: Math.floor(size / 2) }, (_, i) => [at(2 * i), at(2 * i + 1)]);
}

function stepOf(weights: Float32Array, pairs: readonly [number, number][]): number {
  let step = 0;
  for (const weight of weights) step = Math.max(step, Math.abs(weight) / 127);
  for (const [a, b] of pairs) step = Math.max(step, Math.abs(weights[a]! + weights[b]!) / MOST_OF_PAIR);
  return step;
}

function meanOf({ range: [lower, upper], means }: QuantisedValue, channel: number): number {
  return lower + ((upper - lower) * means[channel]!) / 255;
}

/** The bias in steps of the products: the scale of the filter times that of the input. */
export function quantisedBias(
  { scales, bias }: QuantisedFilter,
  scale: number,
): { data: Int32Array; scales: Float32Array } {
  const steps = scales.map((step) => step * scale);
  return { data: Int32Array.from(bias, (value, i) => Math.round(value / steps[i]!)), scales: steps };
}
