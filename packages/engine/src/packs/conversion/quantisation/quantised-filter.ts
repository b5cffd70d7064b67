import type { Constant } from '../onnx-writer.ts';
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
 * Symmetric quantisation of each output channel to −127…127. The rounding of weights shifts the mean of an output by the
 * error times the mean of the input, which is subtracted from the bias (bias correction, Nagel et al. 2019,
 * https://arxiv.org/abs/1906.04721): without it the errors add up from layer to layer.
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
  const data = new Int8Array(weights.length);
  const scales = new Float32Array(outputs);
  const corrected = Float64Array.from(bias);
  for (let out = 0; out < outputs; out++) {
    const own = weights.subarray(out * size, (out + 1) * size);
    const most = own.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
    // A channel of zeros may have a bias.
    const step = Math.fround(Math.max(most / 127, Math.abs(bias[out]!) / scale / MOST_STEPS, 1e-12));
    scales[out] = step;
    own.forEach((weight, i) => {
      const whole = Math.max(-127, Math.min(127, Math.round(weight / step)));
      data[out * size + i] = whole;
      const channel = inputs === 1 && input.means.length === outputs ? out : Math.floor((i * inputs) / size);
      corrected[out]! += (weight - whole * step) * meanOf(input, channel);
    });
  }
  return { data, scales, bias: corrected };
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
