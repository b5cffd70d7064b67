import { type Constant, consumersOf, type OnnxGraph, type OnnxNode } from '../onnx.ts';
import { quantisedBias, quantisedFilter } from './quantised-filter.ts';
import type { QuantisedValue } from './quantised-values.ts';

/**
 * @NOTE quantise
 * Static quantisation to eight bits in the QDQ form: a float graph with `QuantizeLinear` and `DequantizeLinear` around what
 * the runtime shall compute in integers. It fuses them to `QLinearConv` and `QLinearAdd` (checked on its optimised graph), a
 * limit such as ReLU6 with the limits of the range. Values are uint8, weights int8 with a scale for each output channel,
 * chosen so that no processor overflows (`quantised-filter.ts`).
 *
 * A convolution is quantised if ranges of its input and of its output (after its activation) are known, an addition if
 * those of both inputs and of the output are.
 */
export function quantise(graph: OnnxGraph, values: ReadonlyMap<string, QuantisedValue>): OnnxGraph {
  requireKnown(graph, values);
  const writer = new QdqWriter(graph, values);
  for (const node of graph.nodes) writer.add(node);
  return { ...graph, nodes: writer.nodes, constants: writer.constants };
}

function requireKnown({ nodes }: OnnxGraph, values: ReadonlyMap<string, QuantisedValue>): void {
  const outputs = new Set(nodes.map(({ output }) => output));
  const unknown = [...values.keys()].filter((name) => !outputs.has(name));
  if (unknown.length > 0) {
    throw new Error(`The network has no value ${unknown[0]} that could be quantised.`);
  }
}

class QdqWriter {
  readonly nodes: OnnxNode[] = [];
  readonly constants: Map<string, Constant>;
  readonly #values: ReadonlyMap<string, QuantisedValue>;
  readonly #consumers: ReadonlyMap<string, readonly OnnxNode[]>;
  /** Outputs of quantised nodes; all others read them through the two conversions too. */
  readonly #computed = new Set<string>();
  /** Values after both conversions, by name. */
  readonly #converted = new Map<string, string>();

  constructor(graph: OnnxGraph, values: ReadonlyMap<string, QuantisedValue>) {
    this.constants = new Map(graph.constants);
    this.#values = values;
    this.#consumers = consumersOf(graph);
  }

  add(node: OnnxNode): void {
    const [input = '', other = ''] = node.inputs;
    const known = this.#values.has(input) && this.#values.has(this.#activated(node).output);
    if (node.op === 'Conv' && known) {
      this.#convolution(node);
      return;
    }
    const whole = node.op === 'Add' && known && this.#values.has(other);
    const inputs = node.inputs.map((name) =>
      whole || this.#computed.has(name) ? this.#convert(name) : name,
    );
    this.nodes.push({ ...node, inputs });
    if (whole) this.#computed.add(node.output);
  }

  /** The activation after a convolution, if it has one. */
  #activated(node: OnnxNode): OnnxNode {
    const [next, ...others] = this.#consumers.get(node.output) ?? [];
    const fits = node.op === 'Conv' && next && others.length === 0 && /^(Clip|Relu)$/.test(next.op);
    return fits ? next : node;
  }

  #convolution(node: OnnxNode): void {
    const [input = '', filter = '', bias = ''] = node.inputs;
    const weights = {
      filter: this.constants.get(filter)!,
      bias: this.constants.get(bias)!.data as Float32Array,
    };
    const { scale } = scaleOf(this.#values.get(input)!);
    const quantised = quantisedFilter(weights, this.#values.get(input)!, scale);
    const scales = this.#constant(`${filter}_scale`, quantised.scales);
    const zeros = this.#constant(`${filter}_zero`, new Int8Array(quantised.scales.length));
    const whole = this.#constant(`${filter}_q`, quantised.data, weights.filter.dims);
    this.#node('DequantizeLinear', [whole, scales, zeros], `${filter}_d`, { axis: 0 });
    const offset = quantisedBias(quantised, scale);
    const inputs = [
      this.#constant(`${bias}_q`, offset.data),
      this.#constant(`${bias}_scale`, offset.scales),
      this.#constant(`${bias}_zero`, new Int32Array(offset.data.length)),
    ];
    this.#node('DequantizeLinear', inputs, `${bias}_d`, { axis: 0 });
    this.nodes.push({ ...node, inputs: [this.#convert(input), `${filter}_d`, `${bias}_d`] });
    this.#computed.add(this.#activated(node).output);
  }

  /** Inserts the two conversions of a value once. */
  #convert(value: string): string {
    const before = this.#converted.get(value);
    if (before !== undefined) return before;
    const range = this.#values.get(value);
    if (!range) throw new Error(`The range of ${value} is not known.`);
    const { scale, zero } = scaleOf(range);
    const parameters = [
      this.#constant(`${value}_scale`, Float32Array.of(scale), []),
      this.#constant(`${value}_zero`, Uint8Array.of(zero), []),
    ];
    this.#node('QuantizeLinear', [value, ...parameters], `${value}_q`);
    this.#node('DequantizeLinear', [`${value}_q`, ...parameters], `${value}_d`);
    this.#converted.set(value, `${value}_d`);
    return `${value}_d`;
  }

  #node(op: string, inputs: readonly string[], output: string, attributes = {}): void {
    this.nodes.push({ op, inputs, attributes, output });
  }

  #constant(name: string, data: Constant['data'], dims: readonly number[] = [data.length]): string {
    this.constants.set(name, { data, dims });
    return name;
  }
}

/** Zero is a whole step, so that the zeros of padding are exact. */
function scaleOf({ range: [lower, upper] }: QuantisedValue): { scale: number; zero: number } {
  const scale = Math.fround((upper - lower) / 255);
  return { scale, zero: Math.round(-lower / scale) };
}
