import { describe, expect, it } from 'vitest';
import { openNetwork } from '../../../engine/src/runtime/session.ts';
import { encodeModel, type OnnxGraph, OnnxWriter } from '../onnx.ts';
import { foldConvolutions } from './fold-convolutions.ts';
import { quantise } from './quantise.ts';

const AREA = ['batch', 2, 4, 4];

/** x → convolution of two channels, times and plus a constant, ReLU; a depthwise convolution of it is added. */
function network(): OnnxGraph {
  const onnx = new OnnxWriter();
  onnx.input('x', AREA);
  const start = onnx.node('Relu', ['x'], {}, 'start');
  const conv = onnx.node('Conv', [start, onnx.constant(Float32Array.of(0.5, -0.2, 0, 0), [2, 2, 1, 1])]);
  const scaled = onnx.node('Mul', [conv, onnx.constant(Float32Array.of(2, 3), [2, 1, 1])]);
  const moved = onnx.node(
    'Add',
    [scaled, onnx.constant(Float32Array.of(-0.1, 0.75), [2, 1, 1])],
    {},
    'moved',
  );
  const active = onnx.node('Relu', [moved], {}, 'active');
  const each = onnx.constant(Float32Array.of(-0.3, 0.9), [2, 1, 1, 1]);
  const own = onnx.node('Conv', [active, each], { group: 2 }, 'own');
  onnx.output('y', onnx.node('Add', [active, own], {}, 'sum'), AREA);
  return onnx.graph();
}

const value = (lower: number, upper: number) => ({
  range: [lower, upper] as const,
  means: Uint8Array.of(100, 100),
});
const VALUES = new Map([
  ['start', value(0, 1)],
  ['active', value(0, 1)],
  ['own', value(-0.3, 0.9)],
  ['sum', value(0, 1.9)],
]);
const INPUT = { data: Float32Array.from({ length: 32 }, (_, i) => ((7 * i) % 32) / 31), dims: [1, 2, 4, 4] };

async function answer(graph: OnnxGraph): Promise<Float32Array> {
  const open = await openNetwork(encodeModel(graph, 'small'), 'small');
  const { y } = await open.run({ x: INPUT });
  await open.close();
  return y!.data;
}

const farthest = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, one, i) => Math.max(most, Math.abs(one - b[i]!)), 0);

describe('quantise', () => {
  it('folds constants into convolutions without a change of the answers', async () => {
    const folded = foldConvolutions(network());
    expect(folded.nodes.map(({ op }) => op)).toEqual(['Relu', 'Conv', 'Relu', 'Conv', 'Add', 'Identity']);
    expect(farthest(await answer(folded), await answer(network()))).toBeLessThan(1e-6);
  });

  it('answers within a few steps of the output, also where a channel of weights is zero', async () => {
    const graph = foldConvolutions(network());
    const answers = await answer(quantise(graph, VALUES));
    expect(farthest(answers, await answer(graph))).toBeLessThan((3 * 1.9) / 255);
    expect(new Set(answers).size).toBeGreaterThan(8);
  });

  it('computes in floating point where a range is not known', async () => {
    const graph = foldConvolutions(network());
    const without = new Map([...VALUES].filter(([name]) => name !== 'start'));
    const ops = quantise(graph, without).nodes.map(({ op }) => op);
    expect(ops.filter((op) => op === 'QuantizeLinear')).toHaveLength(3);
    const none = quantise(graph, new Map());
    expect(await answer(none)).toEqual(await answer(graph));
  });

  it('refuses a value that the network does not have', () => {
    expect(() => quantise(network(), new Map([['nowhere', value(0, 1)]]))).toThrow(/no value nowhere/);
  });
});
