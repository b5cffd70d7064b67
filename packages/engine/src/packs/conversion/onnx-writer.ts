import { ATTRIBUTE, ELEMENT, ModelProto } from './onnx-proto.ts';

/** Attributes of a node: integers, lists of integers, or strings. */
export type Attributes = Readonly<Record<string, number | string | readonly number[]>>;

/** A dimension of a shape: a number, or the name of a dynamic dimension (the batch). */
export type Size = number | string;

/** Values of a constant; their class is the element type. */
export type Values = Float32Array | Int8Array | Uint8Array | Int32Array | BigInt64Array;

/** A constant, row-major. */
export interface Constant {
  readonly data: Values;
  readonly dims: readonly number[];
}

/** A node with one output. An empty input name omits the input. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly attributes: Attributes;
  readonly output: string;
}

/** A graph: nodes in topological order, constants, and float32 inputs and outputs with their shapes. */
export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly constants: ReadonlyMap<string, Constant>;
  readonly inputs: ReadonlyMap<string, readonly Size[]>;
  readonly outputs: ReadonlyMap<string, readonly Size[]>;
}

const IR_VERSION = 8;
const OPSET = 17;

/** Builds one ONNX graph from nodes in topological order. */
export class OnnxWriter {
  readonly #nodes: OnnxNode[] = [];
  readonly #constants = new Map<string, Constant>();
  readonly #inputs = new Map<string, readonly Size[]>();
  readonly #outputs = new Map<string, readonly Size[]>();
  #names = 0;

  input(name: string, shape: readonly Size[]): string {
    this.#inputs.set(name, shape);
    return name;
  }

  /** Declares `value`, the output of an earlier node, as an output called `name`. */
  output(name: string, value: string, shape: readonly Size[]): void {
    this.node('Identity', [value], {}, name);
    this.#outputs.set(name, shape);
  }

  /** A constant, row-major; by default one-dimensional. */
  constant(data: Values, dims: readonly number[] = [data.length]): string {
    const name = this.#name('constant');
    this.#constants.set(name, { data, dims });
    return name;
  }

  /** A one-dimensional int64 constant, for shapes and paddings. */
  integers(values: readonly number[]): string {
    return this.constant(BigInt64Array.from(values, BigInt));
  }

  /** Adds a node with one output and returns the name of that output. */
  node(op: string, inputs: readonly string[], attributes: Attributes = {}, output = this.#name(op)): string {
    this.#nodes.push({ op, inputs, attributes, output });
    return output;
  }

  graph(): OnnxGraph {
    const [nodes, constants, inputs, outputs] = [this.#nodes, this.#constants, this.#inputs, this.#outputs];
    return { nodes, constants, inputs, outputs };
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}_${this.#names}`;
  }
}

/** Encodes a model file, without constants that no node reads. Deterministic. */
export function encodeModel({ nodes, constants, inputs, outputs }: OnnxGraph, name: string): Uint8Array {
  const read = new Set(nodes.flatMap((node) => node.inputs));
  const infos = (values: ReadonlyMap<string, readonly Size[]>) =>
    Array.from(values, ([value, shape]) => valueInfo(value, shape));
  return ModelProto.encode(
    ModelProto.create({
      ir_version: IR_VERSION,
      producer_name: 'wajah',
      graph: {
        name,
        node: nodes.map(nodeProto),
        initializer: [...constants].filter(([key]) => read.has(key)).map(tensorProto),
        input: infos(inputs),
        output: infos(outputs),
      },
      opset_import: [{ domain: '', version: OPSET }],
    }),
  ).finish();
}

function nodeProto({ op, inputs, attributes, output }: OnnxNode): object {
  const attribute = Object.entries(attributes).map(([name, value]) => attributeProto(name, value));
  return { input: inputs, output: [output], name: output, op_type: op, attribute };
}

function tensorProto([name, { data, dims }]: readonly [string, Constant]): object {
  const raw_data = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { name, dims, data_type: elementOf(data), raw_data };
}

function elementOf(data: Values): number {
  if (data instanceof Float32Array) return ELEMENT.float32;
  if (data instanceof Int8Array) return ELEMENT.int8;
  if (data instanceof Uint8Array) return ELEMENT.uint8;
  return data instanceof Int32Array ? ELEMENT.int32 : ELEMENT.int64;
}

function valueInfo(name: string, shape: readonly Size[]): object {
  const dim = shape.map((size) => (typeof size === 'number' ? { dim_value: size } : { dim_param: size }));
  return { name, type: { tensor_type: { elem_type: ELEMENT.float32, shape: { dim } } } };
}

function attributeProto(name: string, value: number | string | readonly number[]): object {
  if (typeof value === 'number') return { name, type: ATTRIBUTE.int, i: value };
  if (typeof value === 'string') return { name, type: ATTRIBUTE.string, s: Buffer.from(value) };
  return { name, type: ATTRIBUTE.ints, ints: value };
}
