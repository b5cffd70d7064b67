import type { TfjsGraph, TfjsNode } from './tfjs-graph.ts';

/**
 * Makes one `Clip` (value, lower limit, upper limit) of each `Maximum(Minimum(value, upper), lower)`, the way in
 * which ReLU6 is written; a `Relu` before it goes as well. The runtime runs a single limit inside of the
 * convolution before it, several ones as passes over memory.
 */
export function foldClips(graph: TfjsGraph): TfjsGraph {
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
