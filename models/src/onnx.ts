import protobuf from 'protobufjs';

/** Attributes of a node: integers, lists of integers, or strings. */
export type Attributes = Readonly<Record<string, Attribute>>;
type Attribute = number | string | readonly number[];

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

/**
 * The part of the ONNX file format that the converter uses. Field numbers are those of onnx.proto
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), IR version 8.
 */
const DEFINITIONS = `
syntax = "proto2";
package onnx;
message AttributeProto {
  optional string name = 1;
  optional int64 i = 3;
  optional bytes s = 4;
  repeated int64 ints = 8;
  optional int32 type = 20;
}
message NodeProto {
  repeated string input = 1;
  repeated string output = 2;
  optional string name = 3;
  optional string op_type = 4;
  repeated AttributeProto attribute = 5;
}
message TensorProto {
  repeated int64 dims = 1;
  optional int32 data_type = 2;
  optional string name = 8;
  optional bytes raw_data = 9;
}
message Dimension { optional int64 dim_value = 1; optional string dim_param = 2; }
message TensorShapeProto { repeated Dimension dim = 1; }
message TensorTypeProto { optional int32 elem_type = 1; optional TensorShapeProto shape = 2; }
message TypeProto { optional TensorTypeProto tensor_type = 1; }
message ValueInfoProto { optional string name = 1; optional TypeProto type = 2; }
message GraphProto {
  repeated NodeProto node = 1;
  optional string name = 2;
  repeated TensorProto initializer = 5;
  repeated ValueInfoProto input = 11;
  repeated ValueInfoProto output = 12;
}
message OperatorSetIdProto { optional string domain = 1; optional int64 version = 2; }
message ModelProto {
  optional int64 ir_version = 1;
  optional string producer_name = 2;
  optional string producer_version = 3;
  optional GraphProto graph = 7;
  repeated OperatorSetIdProto opset_import = 8;
}
`;

const root = protobuf.parse(DEFINITIONS, { keepCase: true }).root;

/** Encoder of a whole model file. */
const ModelProto = root.lookupType('onnx.ModelProto');

/** `TensorProto.DataType` of the element types in use. */
const ELEMENT = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;

/** `AttributeProto.AttributeType` of the attribute kinds in use. */
const ATTRIBUTE = { int: 2, string: 3, ints: 7 } as const;

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

/** The nodes that read each value. */
export function consumersOf({ nodes }: OnnxGraph): ReadonlyMap<string, readonly OnnxNode[]> {
  const consumers = new Map<string, OnnxNode[]>();
  for (const node of nodes) {
    for (const input of node.inputs) consumers.set(input, [...(consumers.get(input) ?? []), node]);
  }
  return consumers;
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

function attributeProto(name: string, value: Attribute): object {
  if (typeof value === 'number') return { name, type: ATTRIBUTE.int, i: value };
  if (typeof value === 'string') return { name, type: ATTRIBUTE.string, s: Buffer.from(value) };
  return { name, type: ATTRIBUTE.ints, ints: value };
}
