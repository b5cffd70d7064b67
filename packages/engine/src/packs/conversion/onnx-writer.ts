import { ATTRIBUTE, ELEMENT, ModelProto } from './onnx-proto.ts';

/** Attributes of a node: integers, lists of integers, or strings. */
export type Attributes = Readonly<Record<string, number | string | readonly number[]>>;

/** A dimension of a shape: a number, or the name of a dynamic dimension (the batch). */
export type Size = number | string;

const IR_VERSION = 8;
const OPSET = 17;

/** Builds one ONNX graph from nodes in topological order and encodes the model file. */
export class OnnxWriter {
  readonly #nodes: object[] = [];
  readonly #constants: object[] = [];
  readonly #inputs: object[] = [];
  readonly #outputs: object[] = [];
  #names = 0;

  input(name: string, shape: readonly Size[]): string {
    this.#inputs.push(valueInfo(name, shape));
    return name;
  }

  /** Declares `value`, the output of an earlier node, as an output called `name`. */
  output(name: string, value: string, shape: readonly Size[]): void {
    this.node('Identity', [value], {}, name);
    this.#outputs.push(valueInfo(name, shape));
  }

  /** A float32 constant, row-major. */
  constant(data: Float32Array, dims: readonly number[]): string {
    return this.#store(ELEMENT.float32, new Uint8Array(data.buffer, data.byteOffset, data.byteLength), dims);
  }

  /** A one-dimensional int64 constant, for shapes and paddings. */
  integers(values: readonly number[]): string {
    const data = BigInt64Array.from(values, BigInt);
    return this.#store(ELEMENT.int64, new Uint8Array(data.buffer), [values.length]);
  }

  /** Adds a node with one output and returns the name of that output. An empty input name omits the input. */
  node(op: string, inputs: readonly string[], attributes: Attributes = {}, output = this.#name(op)): string {
    const attribute = Object.entries(attributes).map(([name, value]) => attributeProto(name, value));
    this.#nodes.push({ input: inputs, output: [output], name: output, op_type: op, attribute });
    return output;
  }

  /** Encodes the model file. Deterministic. */
  finish(graphName: string): Uint8Array {
    return ModelProto.encode(
      ModelProto.create({
        ir_version: IR_VERSION,
        producer_name: 'wajah',
        graph: {
          name: graphName,
          node: this.#nodes,
          initializer: this.#constants,
          input: this.#inputs,
          output: this.#outputs,
        },
        opset_import: [{ domain: '', version: OPSET }],
      }),
    ).finish();
  }

  #store(type: number, bytes: Uint8Array, dims: readonly number[]): string {
    const name = this.#name('constant');
    this.#constants.push({ name, dims, data_type: type, raw_data: bytes });
    return name;
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}_${this.#names}`;
  }
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
