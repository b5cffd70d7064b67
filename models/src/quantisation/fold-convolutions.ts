import { type Constant, consumersOf, type OnnxGraph, type OnnxNode } from '../onnx.ts';

/**
 * Folds each multiplication by a constant and addition of a constant after a convolution into its weights and its bias,
 * which quantisation needs: the runtime does the same, but after it has fused quantised operations. The convolution takes
 * the name of the last operation that was folded.
 */
export function foldConvolutions(graph: OnnxGraph): OnnxGraph {
  const constants = new Map(graph.constants);
  const consumers = consumersOf(graph);
  const folded = new Set<string>();
  const nodes: OnnxNode[] = [];
  for (const node of graph.nodes) {
    if (folded.has(node.output)) continue;
    if (node.op !== 'Conv') {
      nodes.push(node);
      continue;
    }
    let conv = { ...node, ...weightsOf(node, constants) };
    for (let next = only(consumers, conv.output); next; next = only(consumers, conv.output)) {
      const by = constants.get(next.inputs[1]!);
      if (!by || !(next.op === 'Mul' || next.op === 'Add')) break;
      folded.add(next.output);
      conv = { ...conv, ...(next.op === 'Mul' ? scaled(conv, by) : shifted(conv, by)), output: next.output };
    }
    nodes.push(written(conv, constants));
  }
  return { ...graph, nodes, constants };
}

interface Weights {
  /** [out, in, height, width] */
  readonly filter: Constant & { readonly data: Float32Array };
  readonly bias: Float32Array;
}

function weightsOf({ inputs }: OnnxNode, constants: ReadonlyMap<string, Constant>): Weights {
  const filter = constants.get(inputs[1]!) as Weights['filter'];
  const bias = constants.get(inputs[2] ?? '')?.data as Float32Array | undefined;
  return { filter, bias: bias ?? new Float32Array(filter.dims[0]!) };
}

function scaled({ filter, bias }: Weights, { data }: Constant): Weights {
  const by = (channel: number) => Number(data[data.length === 1 ? 0 : channel]);
  const size = filter.data.length / bias.length;
  return {
    filter: { ...filter, data: filter.data.map((weight, i) => weight * by(Math.floor(i / size))) },
    bias: bias.map((value, channel) => value * by(channel)),
  };
}

function shifted({ filter, bias }: Weights, { data }: Constant): Weights {
  return { filter, bias: bias.map((value, i) => value + Number(data[data.length === 1 ? 0 : i])) };
}

function only(consumers: ReadonlyMap<string, readonly OnnxNode[]>, value: string): OnnxNode | undefined {
  const all = consumers.get(value) ?? [];
  return all.length === 1 ? all[0] : undefined;
}

function written(conv: OnnxNode & Weights, constants: Map<string, Constant>): OnnxNode {
  const { op, attributes, output, filter, bias } = conv;
  const names = [`${output}_filter`, `${output}_bias`];
  constants.set(names[0]!, filter);
  constants.set(names[1]!, { data: bias, dims: [bias.length] });
  return { op, attributes, output, inputs: [conv.inputs[0]!, ...names] };
}
