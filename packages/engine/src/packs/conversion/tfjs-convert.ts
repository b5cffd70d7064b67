import { EngineError } from '../../errors.ts';
import { foldClips } from './fold-clips.ts';
import { OnnxWriter, type Size } from './onnx-writer.ts';
import { type TfjsGraph, type TfjsNode, topologicalOrder } from './tfjs-graph.ts';
import { type Scope, toNhwc, translate, type Value } from './tfjs-ops.ts';
import type { Area } from './window.ts';

/** An output to keep: the tfjs node and its shape without the batch. */
export interface WantedOutput {
  readonly node: string;
  readonly shape: readonly number[];
}

/**
 * Converts a tfjs graph model to ONNX. The input is called `input`, [batch, 3, height, width]; outputs have the
 * given names and the value order of the tfjs model. Parts that no wanted output needs are left out.
 *
 * @param area height and width of the input, where they are not the graph's: for parts that take any size
 * @throws EngineError `pack` when the graph has something that the converter does not know
 */
export function convertTfjsGraph(
  original: TfjsGraph,
  name: string,
  outputs: Readonly<Record<string, WantedOutput>>,
  area?: Area,
): Uint8Array {
  const graph = foldClips(original);
  const onnx = new OnnxWriter();
  const values = new Map<string, Value>();
  const wanted = Object.entries(outputs);
  for (const node of topologicalOrder(
    graph,
    wanted.map(([, output]) => output.node),
  )) {
    const value =
      node.op === 'Placeholder'
        ? placeholder(node, onnx, area)
        : translate(node, scopeOf(node, graph, values, onnx));
    values.set(node.name, value);
  }
  for (const [key, output] of wanted) {
    onnx.output(key, toNhwc(found(values, output.node), onnx), ['batch', ...output.shape]);
  }
  return onnx.finish(name);
}

function placeholder(node: TfjsNode, onnx: OnnxWriter, area?: Area): Value {
  const [, ownHeight = 0, ownWidth = 0, channels = 0] = node.shape();
  const [height, width] = area ?? [ownHeight, ownWidth];
  const shape: Size[] = ['batch', channels, height, width];
  return { name: onnx.input('input', shape), size: { channels, area: [height, width] } };
}

function scopeOf(
  node: TfjsNode,
  graph: TfjsGraph,
  values: ReadonlyMap<string, Value>,
  onnx: OnnxWriter,
): Scope {
  const input = (index: number) => node.inputs[index] ?? '';
  return {
    onnx,
    value: (index) => found(values, input(index)),
    weight: (index) => found(graph.weights, input(index)),
    isWeight: (index) => graph.weights.has(input(index)),
  };
}

function found<T>(map: ReadonlyMap<string, T>, name: string): T {
  const value = map.get(name);
  if (value === undefined) throw new EngineError('pack', `The graph lacks ${name || 'an input'}.`);
  return value;
}
