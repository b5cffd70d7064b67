import { type OnnxGraph, OnnxWriter, type Size } from './onnx.ts';
import { type TfjsGraph, type TfjsNode, topologicalOrder } from './tfjs-graph.ts';
import { type Area, type Scope, toNhwc, translate, type Value } from './tfjs-ops.ts';

/** An output of the converted network: the tfjs node and its shape without the batch. */
export interface WantedOutput {
  readonly node: string;
  readonly shape: readonly number[];
}

/**
 * Converts a tfjs graph model to ONNX. The input is called `input`, [batch, 3, height, width]; outputs have the given names
 * and the value order of the tfjs model. Nodes that no wanted output depends on are left out.
 * @param area height and width of the input, where they differ from the graph's
 * @throws Error when the graph has an operation that the converter does not support
 */
export function convertTfjsGraph(
  original: TfjsGraph,
  outputs: Readonly<Record<string, WantedOutput>>,
  area?: Area,
): OnnxGraph {
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
  return onnx.graph();
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
  if (value === undefined) throw new Error(`The graph lacks ${name || 'an input'}.`);
  return value;
}

/**
 * Replaces each `Maximum(Minimum(value, upper), lower)`, which is ReLU6, and a `Relu` before it, by one `Clip` (value, lower
 * limit, upper limit): the runtime fuses a single limit with the convolution before it, several ones are extra passes.
 */
function foldClips(graph: TfjsGraph): TfjsGraph {
  const nodes = new Map(graph.nodes);
  for (const [name, node] of graph.nodes) {
    const folded = node.op === 'Maximum' ? foldClip(node, graph) : null;
    if (folded) nodes.set(name, folded);
  }
  return { nodes, weights: graph.weights };
}

function foldClip(maximum: TfjsNode, { nodes, weights }: TfjsGraph): TfjsNode | null {
  const [below = '', lower = ''] = maximum.inputs;
  const minimum = nodes.get(below);
  const [value = '', upper = ''] = minimum?.inputs ?? [];
  const isNumber = (limit: string) => weights.get(limit)?.shape.length === 0;
  if (minimum?.op !== 'Minimum' || !isNumber(lower) || !isNumber(upper)) return null;
  const relu = nodes.get(value);
  const redundant = relu?.op === 'Relu' && (weights.get(lower)?.data[0] ?? 0) >= 0;
  const source = redundant ? (relu.inputs[0] ?? '') : value;
  return { ...maximum, op: 'Clip', inputs: [source, lower, upper] };
}
