import { describe, expect, it } from 'vitest';
import { openNetwork } from '../../../engine/src/runtime/session.ts';
import { type Attributes, encodeModel, type OnnxGraph, OnnxWriter } from '../onnx.ts';
import { quantise } from './quantise.ts';
import { quantisedFilter } from './quantised-filter.ts';

/** Largest value of an activation in eight bits, and of a number of sixteen bits. */
const [ACTIVATION, SIXTEEN_BITS] = [255, 32767];
const RANGE = [0, ACTIVATION] as const;
const AREA = 16;

/** Weights −1…1, of which a quarter are extreme. */
function weightsOf(dims: readonly number[]): Float32Array {
  let state = 7;
  return Float32Array.from({ length: dims.reduce((a, b) => a * b) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const weight = state / 2 ** 31 - 1;
    return state % 4 === 0 ? Math.sign(weight) : weight;
  });
}

function quantisedWeights(dims: readonly number[], channels: number): Int8Array {
  const bias = new Float32Array(dims[0]!);
  const input = { range: RANGE, means: new Uint8Array(channels) };
  return quantisedFilter({ filter: { data: weightsOf(dims), dims }, bias }, input, 1).data;
}

/** Largest product that the kernel of a filter adds in pairs: its order is row, column, channel. */
function largestPair(
  whole: Int8Array,
  [outputs = 1, inputs = 1, height = 1, width = 1]: readonly number[],
): number {
  const taps = height * width;
  const size = inputs * taps;
  let most = 0;
  for (let out = 0; out < outputs; out++) {
    const at = (k: number) =>
      k < size ? whole[out * size + (k % inputs) * taps + Math.floor(k / inputs)]! : 0;
    for (let k = 0; k < size; k += 2) most = Math.max(most, Math.abs(at(k) + at(k + 1)));
  }
  return most * ACTIVATION;
}

/** x, whole values 0…255, → convolution with one range for all, so that the result has steps of `step`. */
function convolution(
  dims: readonly number[],
  channels: number,
  step: number,
  attributes: Attributes,
): OnnxGraph {
  const onnx = new OnnxWriter();
  onnx.input('x', ['batch', channels, AREA, 1]);
  const start = onnx.node('Relu', ['x'], {}, 'start');
  const bias = onnx.constant(new Float32Array(dims[0]!));
  const weights = onnx.constant(
    weightsOf(dims).map((weight) => Math.abs(weight)),
    dims,
  );
  const conv = onnx.node('Conv', [start, weights, bias], attributes, 'conv');
  onnx.output('y', onnx.node('Relu', [conv], {}, 'active'), ['batch', dims[0]!, AREA, 1]);
  const value = (upper: number, size: number) => ({
    range: [0, upper] as const,
    means: new Uint8Array(size),
  });
  return quantise(
    onnx.graph(),
    new Map([
      ['start', value(ACTIVATION, channels)],
      ['active', value(ACTIVATION * step, dims[0]!)],
    ]),
  );
}

describe('quantisedFilter', () => {
  it.each([
    ['1 × 1', [16, 64, 1, 1]],
    ['1 × 1, an odd number of channels', [16, 33, 1, 1]],
    ['3 × 3, an odd number of channels', [16, 5, 3, 3]],
  ] as const)('keeps pairs of products within sixteen bits: %s', (_, dims) => {
    const most = largestPair(quantisedWeights(dims, dims[1]), dims);
    expect(most).toBeLessThanOrEqual(SIXTEEN_BITS);
    expect(most).toBeGreaterThan(0.95 * SIXTEEN_BITS);
  });

  it('takes all 127 steps for depthwise filters, whose products are added in 32 bits', () => {
    const whole = quantisedWeights([16, 1, 3, 3], 16);
    expect(largestPair(whole, [16, 1, 3, 3])).toBeGreaterThan(SIXTEEN_BITS);
  });

  it.each([
    ['1 × 1', [16, 64, 1, 1], 64, { group: 1 }],
    ['3 × 1, an odd number of channels', [16, 5, 3, 1], 5, { group: 1, pads: [1, 0, 1, 0] }],
    ['depthwise', [16, 1, 3, 1], 16, { group: 16, pads: [1, 0, 1, 0] }],
  ] as const)(
    'gives the sums of whole numbers on this processor: %s',
    async (_, dims, channels, attributes) => {
      const step = dims[1] * dims[2];
      const graph = convolution(dims, channels, step, { ...attributes, kernel_shape: dims.slice(2) });
      const data = new Float32Array(channels * AREA).fill(ACTIVATION);
      const network = await openNetwork(encodeModel(graph, 'extreme'), 'extreme');
      const { y } = await network.run({ x: { data, dims: [1, channels, AREA, 1] } });
      await network.close();
      const constant = (suffix: string) =>
        [...graph.constants].find(([name]) => name.endsWith(suffix) && name.startsWith('constant_2'))![1]
          .data;
      const [whole, scales] = [constant('_q'), constant('_scale')];
      for (let out = 0; out < dims[0]; out++) {
        const own = whole.subarray(out * step, (out + 1) * step) as Int8Array;
        const sum = own.reduce((total, weight) => total + weight * ACTIVATION, 0) * Number(scales[out]);
        // The second of the positions: padding does not reach it.
        expect(Math.abs(y!.data[out * AREA + 1]! - sum)).toBeLessThanOrEqual(0.51 * step);
      }
    },
  );
});
