import protobuf from 'protobufjs/minimal.js';

const { Reader, Writer } = protobuf;

/** Field numbers of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). */
const MODEL = { graph: 7 } as const;
export const GRAPH = { node: 1, initializer: 5, output: 12, valueInfo: 13 } as const;
export const NODE = { input: 1, output: 2, name: 3, opType: 4, attribute: 5 } as const;
const ATTRIBUTE = { name: 1, integer: 3, type: 20 } as const;
const TENSOR = { dims: 1, dataType: 2, floats: 4, name: 8, raw: 9 } as const;
const FLOAT32 = 1;

/** Wire types of protocol buffers: numbers of a variable length, and what has its length before it. */
const VARIABLE = 0;
export const DELIMITED = 2;

/** A field; `bytes` of a delimited one are its content, of another all behind its tag. */
export interface Field {
  readonly number: number;
  readonly type: number;
  readonly bytes: Uint8Array;
}

/**
 * The model with another graph.
 * @param rewritten fields of the graph from those that it has; null: nothing is to be changed
 * @returns the model itself when nothing is changed, or it is no ONNX model
 */
export function withGraph(
  model: Uint8Array,
  rewritten: (graph: readonly Field[]) => Field[] | null,
): Uint8Array {
  try {
    const fields = fieldsOf(model);
    const at = fields.findIndex(({ number }) => number === MODEL.graph);
    const graph = at < 0 ? null : rewritten(fieldsOf(fields[at]!.bytes));
    if (graph === null) return model;
    return written(fields.with(at, { number: MODEL.graph, type: DELIMITED, bytes: written(graph) }));
  } catch {
    return model;
  }
}

export function fieldsOf(message: Uint8Array): Field[] {
  const reader = Reader.create(message);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const type = tag & 7;
    const start = reader.pos;
    if (type === DELIMITED) fields.push({ number: tag >>> 3, type, bytes: reader.bytes() });
    else {
      reader.skipType(type);
      fields.push({ number: tag >>> 3, type, bytes: message.subarray(start, reader.pos) });
    }
  }
  return fields;
}

export function written(fields: readonly Field[]): Uint8Array {
  const head = ({ number, type, bytes }: Field) => {
    const writer = Writer.create().uint32((number << 3) | type);
    return (type === DELIMITED ? writer.uint32(bytes.length) : writer).finish();
  };
  return Buffer.concat(fields.flatMap((field) => [head(field), field.bytes]));
}

/** The texts of a field that may be repeated. */
export function textsOf(fields: readonly Field[], wanted: number): string[] {
  return fields
    .filter(({ number }) => number === wanted)
    .map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
}

/** A constant of float32 values. */
export interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** The constant of an initializer; null for one of another type. */
export function tensorOf(initializer: Uint8Array): Tensor | null {
  const fields = fieldsOf(initializer);
  const delimited = (wanted: number) =>
    fields.find(({ number, type }) => number === wanted && type === DELIMITED)?.bytes;
  const numbers = (wanted: number) =>
    fields
      .filter(({ number }) => number === wanted)
      .flatMap(({ type, bytes }) =>
        type === DELIMITED ? integersOf(bytes) : [Reader.create(bytes).uint32()],
      );
  const dims = numbers(TENSOR.dims);
  const [name = ''] = textsOf(fields, TENSOR.name);
  const data = delimited(TENSOR.raw) ?? delimited(TENSOR.floats);
  const count = dims.reduce((product, size) => product * size, 1);
  if (data?.length !== 4 * count || numbers(TENSOR.dataType)[0] !== FLOAT32) return null;
  return { name, dims, values: new Float32Array(Uint8Array.from(data).buffer) };
}

function integersOf(packed: Uint8Array): number[] {
  const reader = Reader.create(packed);
  const integers: number[] = [];
  while (reader.pos < reader.len) integers.push(reader.uint32());
  return integers;
}

/** The initializer of a constant. */
export function initializerOf({ name, dims, values }: Tensor): Field {
  const writer = Writer.create();
  for (const size of dims) writer.uint32((TENSOR.dims << 3) | VARIABLE).uint32(size);
  writer.uint32((TENSOR.dataType << 3) | VARIABLE).uint32(FLOAT32);
  writer.uint32((TENSOR.name << 3) | DELIMITED).string(name);
  writer.uint32((TENSOR.raw << 3) | DELIMITED).bytes(new Uint8Array(values.buffer));
  return { number: GRAPH.initializer, type: DELIMITED, bytes: writer.finish() };
}

const INTEGER = 2;

/** The attribute `group` of a convolution. */
export function groupAttribute(groups: number): Field {
  const writer = Writer.create();
  writer.uint32((ATTRIBUTE.name << 3) | DELIMITED).string('group');
  writer.uint32((ATTRIBUTE.integer << 3) | VARIABLE).uint32(groups);
  writer.uint32((ATTRIBUTE.type << 3) | VARIABLE).uint32(INTEGER);
  return { number: NODE.attribute, type: DELIMITED, bytes: writer.finish() };
}

/** The value of the attribute `group` of a convolution; 1 without one. */
export function groupsOf(node: readonly Field[]): number {
  const attributes = node
    .filter(({ number }) => number === NODE.attribute)
    .map(({ bytes }) => fieldsOf(bytes));
  const group = attributes.find((fields) => textsOf(fields, ATTRIBUTE.name)[0] === 'group');
  const value = group?.find(({ number }) => number === ATTRIBUTE.integer)?.bytes;
  return value ? Reader.create(value).uint32() : 1;
}
