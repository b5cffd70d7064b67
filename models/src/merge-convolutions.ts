import { type Constant, consumersOf, type OnnxGraph, type OnnxNode } from './onnx.ts';

/** A 1 × 1 convolution of all channels: weights [outputs, inputs]. */
interface Pointwise {
  readonly node: OnnxNode;
  readonly outputs: number;
  readonly inputs: number;
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/**
 * Makes one convolution of two 1 × 1 convolutions with nothing between them, where that takes fewer multiplications: their
 * product is the same map. The second one keeps its name. Convolutions that copy channels stay: they are for the layout.
 */
export function mergeConvolutions(graph: OnnxGraph): OnnxGraph {
  const consumers = consumersOf(graph);
  const constants = new Map(graph.constants);
  const nodes: OnnxNode[] = [];
  for (const node of graph.nodes) {
    const second = pointwise(node, constants);
    const at = nodes.findIndex(({ output }) => output === node.inputs[0]);
    const first =
      at >= 0 && consumers.get(nodes[at]!.output)!.length === 1 ? pointwise(nodes[at]!, constants) : null;
    if (!first || !second || isCopy(first) || !isCheaper(first, second)) {
      nodes.push(node);
      continue;
    }
    nodes.splice(at, 1);
    nodes.push(merged(first, second, constants));
  }
  return { ...graph, nodes, constants };
}

function pointwise(node: OnnxNode, constants: ReadonlyMap<string, Constant>): Pointwise | null {
  const filter = constants.get(node.inputs[1] ?? '');
  if (node.op !== 'Conv' || !filter) return null;
  const { group = 1, strides, pads } = node.attributes;
  const plain = [strides, pads].flat().every((number, i) => number === (i < 2 ? 1 : 0));
  const [outputs = 0, inputs = 0, height, width] = filter.dims;
  if (group !== 1 || !plain || height !== 1 || width !== 1) return null;
  const bias = constants.get(node.inputs[2] ?? '')?.data as Float32Array | undefined;
  return {
    node,
    outputs,
    inputs,
    weights: filter.data as Float32Array,
    bias: bias ?? new Float32Array(outputs),
  };
}

function isCopy({ weights }: Pointwise): boolean {
  return weights.every((weight) => weight === 0 || weight === 1);
}

function isCheaper(first: Pointwise, second: Pointwise): boolean {
  return second.outputs * first.inputs < first.outputs * first.inputs + second.outputs * second.inputs;
}

function merged(first: Pointwise, second: Pointwise, constants: Map<string, Constant>): OnnxNode {
  const { outputs } = second;
  const { inputs } = first;
  const weights = new Float32Array(outputs * inputs);
  const bias = Float32Array.from(second.bias);
  for (let out = 0; out < outputs; out++) {
    const sums = new Float64Array(inputs);
    let offset = bias[out]!;
    for (let middle = 0; middle < second.inputs; middle++) {
      const by = second.weights[out * second.inputs + middle]!;
      offset += by * first.bias[middle]!;
      for (let i = 0; i < inputs; i++) sums[i]! += by * first.weights[middle * inputs + i]!;
    }
    weights.set(sums, out * inputs);
    bias[out] = offset;
  }
  const { node } = second;
  const names = [`${node.output}_filter`, `${node.output}_bias`];
  constants.set(names[0]!, { data: weights, dims: [outputs, inputs, 1, 1] });
  constants.set(names[1]!, { data: bias, dims: [outputs] });
  return { ...node, inputs: [first.node.inputs[0]!, ...names] };
}
