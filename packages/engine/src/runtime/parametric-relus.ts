import protobuf from 'protobufjs/minimal.js';

const { Reader, Writer } = protobuf;

/**
 * Writes the parametric ReLUs of an ONNX model as x + (1 − slope) · max(−x, 0), signs and slopes as 1×1 depthwise
 * convolutions. The runtime computes PRelu value by value outside of its blocked layout: it takes up to two fifths of a
 * small network's time, and the layout is changed before and after each. The addition becomes a part of a convolution.
 *
 * All else is copied as it is. A PRelu whose slopes are no float32 constant of one value for each channel is left.
 * @param model of the ONNX format (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto)
 * @returns the model itself when it has none, or is no ONNX model
 */
export function withoutParametricRelus(model: Uint8Array): Uint8Array {
  try {
    return rewrittenModel(model);
  } catch {
    return model;
  }
}

function rewrittenModel(model: Uint8Array): Uint8Array {
  const fields = fieldsOf(model);
  const at = fields.findIndex(({ number }) => number === MODEL.graph);
  const graph = at < 0 ? null : rewritten(fieldsOf(fields[at]!.bytes));
  if (graph === null) return model;
  return written(fields.with(at, { number: MODEL.graph, type: DELIMITED, bytes: written(graph) }));
}

/** Field numbers of onnx.proto. */
const MODEL = { graph: 7 } as const;
const GRAPH = { node: 1, initializer: 5 } as const;
const NODE = { input: 1, output: 2, name: 3, opType: 4, attribute: 5 } as const;
const ATTRIBUTE = { name: 1, integer: 3, type: 20 } as const;
const TENSOR = { dims: 1, dataType: 2, floats: 4, name: 8, raw: 9 } as const;
const FLOAT32 = 1;
const INTEGER = 2;

/** Wire types of protocol buffers: numbers of a variable length, and what has its length before it. */
const VARIABLE = 0;
const DELIMITED = 2;

/** A field; `bytes` of a delimited one are its content, of another all behind its tag. */
interface Field {
  readonly number: number;
  readonly type: number;
  readonly bytes: Uint8Array;
}

function fieldsOf(message: Uint8Array): Field[] {
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

function written(fields: readonly Field[]): Uint8Array {
  const head = ({ number, type, bytes }: Field) => {
    const writer = Writer.create().uint32((number << 3) | type);
    return (type === DELIMITED ? writer.uint32(bytes.length) : writer).finish();
  };
  return Buffer.concat(fields.flatMap((field) => [head(field), field.bytes]));
}

/** @returns null when there is no parametric ReLU to replace */
function rewritten(graph: readonly Field[]): Field[] | null {
  const slopes = new Map(
    graph.flatMap(({ number, bytes }) => (number === GRAPH.initializer ? channelValues(bytes) : [])),
  );
  const constants: Field[] = [];
  const fields = graph.flatMap((field) => {
    const prelu = field.number === GRAPH.node ? preluOf(field.bytes, slopes) : null;
    if (prelu === null) return [field];
    constants.push(...constantsOf(prelu));
    return nodesOf(prelu);
  });
  return constants.length === 0 ? null : [...fields, ...constants];
}

interface ParametricRelu {
  readonly input: string;
  readonly output: string;
  readonly slopes: Float32Array;
}

function preluOf(node: Uint8Array, slopes: ReadonlyMap<string, Float32Array>): ParametricRelu | null {
  const fields = fieldsOf(node);
  const texts = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
  const [input, slope] = texts(NODE.input);
  const [output] = texts(NODE.output);
  const values = slope === undefined ? undefined : slopes.get(slope);
  if (texts(NODE.opType)[0] !== 'PRelu' || !values || input === undefined || !output) return null;
  return { input, output, slopes: values };
}

/** Name and values of a float32 tensor of C × 1 × 1 or 1 × C × 1 × 1; empty for others. */
function channelValues(tensor: Uint8Array): [string, Float32Array][] {
  const fields = fieldsOf(tensor);
  const delimited = (wanted: number) =>
    fields.find(({ number, type }) => number === wanted && type === DELIMITED)?.bytes;
  const numbers = (wanted: number) =>
    fields
      .filter(({ number }) => number === wanted)
      .flatMap(({ type, bytes }) =>
        type === DELIMITED ? integersOf(bytes) : [Reader.create(bytes).uint32()],
      );
  const dims = numbers(TENSOR.dims);
  const [channels = 0, ...ones] = dims.length === 4 && dims[0] === 1 ? dims.slice(1) : dims;
  const [name, data] = [delimited(TENSOR.name), delimited(TENSOR.raw) ?? delimited(TENSOR.floats)];
  const fits = ones.length === 2 && ones.every((one) => one === 1) && data?.length === 4 * channels;
  if (!fits || !name || numbers(TENSOR.dataType)[0] !== FLOAT32) return [];
  return [[Buffer.from(name).toString('utf8'), new Float32Array(Uint8Array.from(data).buffer)]];
}

function integersOf(packed: Uint8Array): number[] {
  const reader = Reader.create(packed);
  const integers: number[] = [];
  while (reader.pos < reader.len) integers.push(reader.uint32());
  return integers;
}

function nodesOf({ input, output, slopes }: ParametricRelu): Field[] {
  const [negative, positive, raised] = ['-negative', '-positive', '-raised'].map((part) => output + part);
  const group = Writer.create();
  group.uint32((ATTRIBUTE.name << 3) | DELIMITED).string('group');
  group.uint32((ATTRIBUTE.integer << 3) | VARIABLE).uint32(slopes.length);
  group.uint32((ATTRIBUTE.type << 3) | VARIABLE).uint32(INTEGER);
  const attribute = group.finish();
  return [
    node('Conv', [input, `${output}-signs`], negative!, attribute),
    node('Relu', [negative!], positive!),
    node('Conv', [positive!, `${output}-slopes`], raised!, attribute),
    node('Add', [raised!, input], output),
  ];
}

function node(op: string, inputs: readonly string[], output: string, attribute?: Uint8Array): Field {
  const writer = Writer.create();
  for (const input of inputs) writer.uint32((NODE.input << 3) | DELIMITED).string(input);
  writer.uint32((NODE.output << 3) | DELIMITED).string(output);
  writer.uint32((NODE.name << 3) | DELIMITED).string(output);
  writer.uint32((NODE.opType << 3) | DELIMITED).string(op);
  if (attribute) writer.uint32((NODE.attribute << 3) | DELIMITED).bytes(attribute);
  return { number: GRAPH.node, type: DELIMITED, bytes: writer.finish() };
}

function constantsOf({ output, slopes }: ParametricRelu): Field[] {
  const constant = (name: string, values: Float32Array) => {
    const writer = Writer.create();
    for (const size of [values.length, 1, 1, 1]) writer.uint32((TENSOR.dims << 3) | VARIABLE).uint32(size);
    writer.uint32((TENSOR.dataType << 3) | VARIABLE).uint32(FLOAT32);
    writer.uint32((TENSOR.name << 3) | DELIMITED).string(name);
    writer.uint32((TENSOR.raw << 3) | DELIMITED).bytes(new Uint8Array(values.buffer));
    return { number: GRAPH.initializer, type: DELIMITED, bytes: writer.finish() };
  };
  return [
    constant(
      `${output}-signs`,
      slopes.map(() => -1),
    ),
    constant(
      `${output}-slopes`,
      slopes.map((slope) => 1 - slope),
    ),
  ];
}
