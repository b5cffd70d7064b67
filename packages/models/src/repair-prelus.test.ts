import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNetwork } from '../../engine/src/runtime/session.ts';
import { encodeModel } from './onnx.ts';
import { repairPRelus } from './repair-prelus.ts';
import { convertTfjsGraph } from './tfjs-convert.ts';
import { readTfjsGraph } from './tfjs-graph.ts';

const text = (value: string) => Buffer.from(value).toString('base64');
const strides = { list: { i: ['1', '1', '1', '1'] } };

/**
 * A picture of 1 × 1, a depthwise convolution (times 1, plus 0) with a ReLU fused into it, and what is left of a
 * parametric ReLU of three channels after it.
 */
function damaged(halves: readonly number[], fused = ['BiasAdd', 'Relu']) {
  const dim = [-1, 1, 1, 3].map((size) => ({ size: String(size) }));
  const node = [
    { name: 'picture', op: 'Placeholder', attr: { shape: { shape: { dim } } } },
    {
      name: 'x',
      op: 'FusedDepthwiseConv2dNative',
      input: ['picture', 'filter', 'bias'],
      attr: {
        strides,
        dilations: strides,
        padding: { s: text('SAME') },
        fused_ops: { list: { s: fused.map(text) } },
      },
    },
    { name: 'size', op: 'Abs', input: ['x'] },
    { name: 'below', op: 'Sub', input: ['x', 'size'] },
    { name: 'scaled', op: 'Mul', input: ['below', 'halves'] },
    { name: 'out', op: 'Add', input: ['x', 'scaled'] },
  ];
  const weights = [
    { name: 'filter', shape: [1, 1, 3, 1], dtype: 'float32' },
    { name: 'bias', shape: [3], dtype: 'float32' },
    { name: 'halves', shape: [3], dtype: 'float32' },
  ];
  const json = {
    format: 'graph-model',
    modelTopology: { node },
    weightsManifest: [{ weights, paths: ['w'] }],
  };
  const values = Float32Array.of(1, 1, 1, 0, 0, 0, ...halves);
  return readTfjsGraph(JSON.stringify(json), new Uint8Array(values.buffer));
}

describe('repairPRelus', () => {
  it('restores values below zero, each times the slope of its channel', async () => {
    const graph = repairPRelus(damaged([-0.125, -1, 0.25]));
    const converted = convertTfjsGraph(graph, { out: { node: 'out', shape: [1, 1, 3] } });
    const network = await openNetwork(encodeModel(converted, 'prelu'), 'prelu');
    const value = fc.float({ min: -9, max: 9, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.tuple(value, value, value), async (picture) => {
        const input = { data: Float32Array.from(picture), dims: [1, 3, 1, 1] };
        const { data } = (await network.run({ input }))['out']!;
        [0.25, 2, -0.5].forEach((slope, i) => {
          expect(data[i]).toBeCloseTo(picture[i]! > 0 ? picture[i]! : slope * picture[i]!, 5);
        });
      }),
      { numRuns: 30 },
    );
    await network.close();
  });

  it('refuses a graph that needs no repair', () => {
    const { nodes, weights } = damaged([1, 1, 1]);
    const without = new Map([...nodes].filter(([name]) => name !== 'out'));
    expect(() => repairPRelus({ nodes: without, weights })).toThrow(/no parametric ReLUs/);
  });
});
