import type { OnnxGraph, OnnxNode } from '../onnx-writer.ts';

/** The nodes that read each value. */
export function consumersOf({ nodes }: OnnxGraph): ReadonlyMap<string, readonly OnnxNode[]> {
  const consumers = new Map<string, OnnxNode[]>();
  for (const node of nodes) {
    for (const input of node.inputs) consumers.set(input, [...(consumers.get(input) ?? []), node]);
  }
  return consumers;
}
