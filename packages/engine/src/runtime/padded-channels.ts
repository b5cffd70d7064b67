import {
  DELIMITED,
  type Field,
  fieldsOf,
  GRAPH,
  groupAttribute,
  groupsOf,
  initializerOf,
  NODE,
  type Tensor,
  tensorOf,
  textsOf,
  withGraph,
  written,
} from './onnx-file.ts';

/** Multiples of this number of channels are computed in the runtime's blocked layout, by its fast convolutions. */
const BLOCK = 16;

/**
 * Pads values between two convolutions of an ONNX model with channels of zeros, to multiples of `BLOCK`: networks that were
 * pruned have 13 or 103 channels, which the runtime computes outside of its blocked layout. Only values that pass nothing
 * but depthwise convolutions and parametric ReLUs are padded: there zeros stay zeros, and what is computed is the same.
 * @returns the model itself when there is nothing to pad, or it is no ONNX model
 */
export function withPaddedChannels(model: Uint8Array): Uint8Array {
  return withGraph(model, padded);
}

interface Operation {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly groups: number;
}

interface Graph {
  readonly operations: readonly Operation[];
  /** Names of the outputs of the graph. */
  readonly results: ReadonlySet<string>;
  readonly tensors: Map<string, Tensor>;
}

/** @returns null when there is nothing to pad */
function padded(fields: readonly Field[]): Field[] | null {
  const graph = graphOf(fields);
  const { operations, tensors } = graph;
  const before = new Map(tensors);
  const groups = new Map<string, number>();
  for (const start of operations) {
    const [channels = BLOCK] = tensors.get(start.inputs[1] ?? '')?.dims ?? [];
    if (start.op !== 'Conv' || start.groups !== 1 || channels % BLOCK === 0) continue;
    const uses = usesOf(graph, start.output, channels);
    if (!uses || ![start, ...uses].every((one) => hasOwnConstants(graph, one))) continue;
    const wide = Math.ceil(channels / BLOCK) * BLOCK;
    widen(tensors, start, 0, wide);
    for (const use of uses) {
      const mixes = use.op === 'Conv' && use.groups === 1;
      widen(tensors, mixes ? { ...use, inputs: use.inputs.slice(0, 2) } : use, mixes ? 1 : 0, wide);
      if (use.op === 'Conv' && !mixes) groups.set(use.output, wide);
    }
  }
  const changed = (name: string) => tensors.get(name) !== before.get(name);
  if (![...tensors.keys()].some(changed)) return null;
  return fields.flatMap((field) => {
    // Shapes of values are written for readers; those of padded ones would be wrong.
    if (field.number === GRAPH.valueInfo) return [];
    if (field.number === GRAPH.node) return [withGroups(field, groups)];
    const name = field.number === GRAPH.initializer ? tensorOf(field.bytes)?.name : undefined;
    return [name !== undefined && changed(name) ? initializerOf(tensors.get(name)!) : field];
  });
}

function graphOf(fields: readonly Field[]): Graph {
  const bytesOf = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map(({ bytes }) => bytes);
  const tensors = bytesOf(GRAPH.initializer).flatMap((bytes) => tensorOf(bytes) ?? []);
  return {
    operations: bytesOf(GRAPH.node).map(operationOf),
    results: new Set(bytesOf(GRAPH.output).flatMap((bytes) => textsOf(fieldsOf(bytes), 1))),
    tensors: new Map(tensors.map((tensor) => [tensor.name, tensor])),
  };
}

function operationOf(node: Uint8Array): Operation {
  const fields = fieldsOf(node);
  const [op = ''] = textsOf(fields, NODE.opType);
  const [output = ''] = textsOf(fields, NODE.output);
  return { op, inputs: textsOf(fields, NODE.input), output, groups: groupsOf(fields) };
}

/** What a value passes, up to the convolutions that mix its channels; null: something else uses it. */
function usesOf(graph: Graph, value: string, channels: number): Operation[] | null {
  const uses = graph.operations.filter(({ inputs }) => inputs.includes(value));
  if (uses.length === 0 || graph.results.has(value)) return null;
  const further = uses.map((use) => {
    const { op, groups, inputs, output } = use;
    if (inputs.lastIndexOf(value) !== 0) return null;
    if (op === 'Conv' && groups === 1) return [use];
    const keepsApart =
      op === 'PRelu' ? graph.tensors.get(inputs[1]!)?.dims[0] === channels : groups === channels;
    const rest = keepsApart && (op === 'PRelu' || op === 'Conv') ? usesOf(graph, output, channels) : null;
    return rest && [use, ...rest];
  });
  return further.includes(null) ? null : further.flatMap((all) => all!);
}

/** Whether weights and biases are constants that nothing else uses. */
function hasOwnConstants({ operations, tensors }: Graph, { inputs: [, ...constants] }: Operation): boolean {
  const users = (name: string) => operations.filter(({ inputs }) => inputs.includes(name)).length;
  return constants.every((name) => tensors.has(name) && users(name) === 1);
}

function widen(tensors: Map<string, Tensor>, { inputs }: Operation, axis: number, size: number): void {
  for (const name of inputs.slice(1)) tensors.set(name, widened(tensors.get(name)!, axis, size));
}

/** The tensor with zeros behind those of an axis. */
function widened({ name, dims, values }: Tensor, axis: number, size: number): Tensor {
  const product = (sizes: readonly number[]) => sizes.reduce((all, one) => all * one, 1);
  const [outer, inner] = [product(dims.slice(0, axis)), product(dims.slice(axis + 1))];
  const [part, whole] = [dims[axis]! * inner, size * inner];
  const wide = new Float32Array(outer * whole);
  for (let i = 0; i < outer; i++) wide.set(values.subarray(i * part, (i + 1) * part), i * whole);
  return { name, dims: dims.with(axis, size), values: wide };
}

function withGroups(node: Field, groups: ReadonlyMap<string, number>): Field {
  const fields = fieldsOf(node.bytes);
  const wide = groups.get(textsOf(fields, NODE.output)[0] ?? '');
  if (wide === undefined) return node;
  const isGroup = ({ number, bytes }: Field) =>
    number === NODE.attribute && textsOf(fieldsOf(bytes), 1)[0] === 'group';
  const others = fields.filter((field) => !isGroup(field));
  return { number: GRAPH.node, type: DELIMITED, bytes: written([...others, groupAttribute(wide)]) };
}
