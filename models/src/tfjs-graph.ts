import { z } from 'zod';
import { decodeWeights, type Weight, weightsManifestSchema } from './tfjs-weights.ts';

const attributeSchema = z.object({
  s: z.string().optional(),
  b: z.boolean().optional(),
  list: z
    .object({
      i: z.array(z.coerce.number()).optional(),
      s: z.array(z.string()).optional(),
    })
    .optional(),
  shape: z.object({ dim: z.array(z.object({ size: z.coerce.number() })).optional() }).optional(),
});

const nodeSchema = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z.record(z.string(), attributeSchema).default({}),
});

const modelSchema = z.object({
  format: z.literal('graph-model'),
  modelTopology: z.object({ node: z.array(nodeSchema) }),
  weightsManifest: weightsManifestSchema,
});

/** An operation of a tfjs graph model. */
export interface TfjsNode {
  readonly name: string;
  readonly op: string;
  /** Names of the nodes and weights that are its inputs. */
  readonly inputs: readonly string[];
  ints(attribute: string): readonly number[];
  text(attribute: string): string;
  texts(attribute: string): readonly string[];
  flag(attribute: string): boolean;
  /** Sizes of a placeholder; −1 where the size is free. */
  shape(): readonly number[];
}

/** A tfjs graph model with its weights decoded. */
export interface TfjsGraph {
  readonly nodes: ReadonlyMap<string, TfjsNode>;
  readonly weights: ReadonlyMap<string, Weight>;
}

/**
 * Parses a tfjs graph model.
 * @param topology text of the `.json` file
 * @param weights bytes of its one `.bin` file
 * @throws Error when the files are no graph model or do not belong together
 */
export function readTfjsGraph(topology: string, weights: Uint8Array): TfjsGraph {
  const parsed = modelSchema.safeParse(JSON.parse(topology));
  if (!parsed.success) {
    throw new Error(`Not a tfjs graph model: ${z.prettifyError(parsed.error)}`);
  }
  const specs = parsed.data.weightsManifest.flatMap((group) => group.weights);
  const nodes = parsed.data.modelTopology.node.filter((node) => node.op !== 'Const');
  return {
    nodes: new Map(nodes.map((node) => [node.name, toNode(node)])),
    weights: decodeWeights(specs, weights),
  };
}

/** The nodes that `outputs` depend on in topological order, which ONNX requires. */
export function topologicalOrder(graph: TfjsGraph, outputs: readonly string[]): TfjsNode[] {
  const order: TfjsNode[] = [];
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name) || graph.weights.has(name)) return;
    seen.add(name);
    const node = graph.nodes.get(name);
    if (!node) throw new Error(`The graph has no node ${name}.`);
    node.inputs.forEach(visit);
    order.push(node);
  };
  outputs.forEach(visit);
  return order;
}

function toNode({ name, op, input, attr }: z.infer<typeof nodeSchema>): TfjsNode {
  const base64 = (text: string) => Buffer.from(text, 'base64').toString('utf8');
  return {
    name,
    op,
    inputs: input.map((reference) => reference.replace(/:\d+$/, '')),
    ints: (attribute) => attr[attribute]?.list?.i ?? [],
    text: (attribute) => base64(attr[attribute]?.s ?? ''),
    texts: (attribute) => (attr[attribute]?.list?.s ?? []).map(base64),
    flag: (attribute) => attr[attribute]?.b ?? false,
    shape: () => (attr['shape']?.shape?.dim ?? []).map((dim) => dim.size),
  };
}
