import { describe, expect, it } from 'vitest';
import { openNetwork } from '../../engine/src/runtime/session.ts';
import { mergeConvolutions } from './merge-convolutions.ts';
import { encodeModel, type OnnxGraph, OnnxWriter } from './onnx.ts';

const AREA = { strides: [1, 1], pads: [0, 0, 0, 0] };

function numbers(count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(1.7 * i + 1));
}

/** x [2 channels] → 1 × 1 convolutions of the given numbers of channels, the first one with the given weights. */
function chain(channels: readonly number[], first = numbers(2 * channels[0]!)): OnnxGraph {
  const onnx = new OnnxWriter();
  let value = onnx.input('x', ['batch', 2, 3, 3]);
  let before = 2;
  for (const [i, count] of channels.entries()) {
    const filter = onnx.constant(i === 0 ? first : numbers(count * before), [count, before, 1, 1]);
    value = onnx.node('Conv', [value, filter, onnx.constant(numbers(count))], AREA);
    before = count;
  }
  onnx.output('y', value, ['batch', before, 3, 3]);
  return onnx.graph();
}

const convolutions = ({ nodes }: OnnxGraph) => nodes.filter(({ op }) => op === 'Conv').length;

async function answer(graph: OnnxGraph): Promise<number[]> {
  const open = await openNetwork(encodeModel(graph, 'small'), 'small');
  const { y } = await open.run({ x: { data: numbers(18), dims: [1, 2, 3, 3] } });
  await open.close();
  return [...y!.data];
}

describe('mergeConvolutions', () => {
  it('makes one of several in a row, with the same answers', async () => {
    const graph = chain([4, 5, 3]);
    const merged = mergeConvolutions(graph);
    expect(convolutions(merged)).toBe(1);
    const [before, after] = [await answer(graph), await answer(merged)];
    expect(after.map((value, i) => Math.abs(value - before[i]!) < 1e-5)).not.toContain(false);
  });

  it('keeps those whose product takes more multiplications, and those that copy channels', () => {
    expect(convolutions(mergeConvolutions(chain([1, 8])))).toBe(2);
    expect(convolutions(mergeConvolutions(chain([2, 4], Float32Array.of(1, 0, 0, 1))))).toBe(2);
  });

  it('keeps a value that something else reads', () => {
    const graph = chain([4, 3]);
    const first = graph.nodes[0]!.output;
    const outputs = new Map([...graph.outputs, ['z', ['batch', 4, 3, 3] as const]]);
    const nodes = [...graph.nodes, { op: 'Identity', inputs: [first], attributes: {}, output: 'z' }];
    expect(convolutions(mergeConvolutions({ ...graph, nodes, outputs }))).toBe(2);
  });
});
