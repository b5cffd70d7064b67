import { type IrLayer, readIr, sizesIn } from './ir-graph.ts';
import { type Constant, encodeModel, type OnnxGraph, OnnxWriter } from './onnx.ts';

/** A value under construction: computed ones have a batch of free size, which the shape states as 1. */
interface Value {
  /** Empty for a constant, which is written where it is used. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly constant?: Constant;
}

/** A layer, its inputs, and where its nodes go. */
interface Scope {
  readonly layer: IrLayer;
  readonly first: Value;
  readonly second: Value;
  readonly onnx: OnnxWriter;
}

/** What an attribute may be, for the check and in words. */
interface Form {
  readonly test: RegExp;
  readonly says: string;
  readonly mayLack?: true;
}

interface Operation {
  /** Which inputs are constants. */
  readonly inputs: readonly ('computed' | 'constant' | 'any')[];
  readonly attributes: Readonly<Record<string, Form>>;
  translate(scope: Scope): Value;
}

const exactly = (...values: string[]): Form => ({
  test: new RegExp(`^(${values.join('|')})$`),
  says: values.join(' or '),
});
const orNone = (form: Form): Form => ({ ...form, mayLack: true });
const PAIR: Form = { test: /^[1-9]\d{0,2}, ?[1-9]\d{0,2}$/, says: 'two numbers of 1 to 999' };
const PADDING: Form = { test: /^\d{1,3}, ?\d{1,3}$/, says: 'two numbers of 0 to 999' };
const ANY: Form = { test: /^/, says: 'any' };
const WINDOW = {
  strides: PAIR,
  pads_begin: PADDING,
  pads_end: PADDING,
  auto_pad: orNone(exactly('explicit')),
};
const CONVOLUTION = { ...WINDOW, dilations: PAIR };
const BROADCAST = { auto_broadcast: orNone(exactly('numpy')) };

const operations: Readonly<Record<string, Operation>> = {
  Parameter: {
    inputs: [],
    attributes: {
      shape: { test: /^1(, ?[1-9]\d*){3}$/, says: 'four sizes, the first 1' },
      element_type: exactly('f32'),
    },
    translate: parameter,
  },
  Const: {
    inputs: [],
    attributes: { element_type: ANY, shape: ANY, offset: ANY, size: ANY },
    translate: ({ layer: { constant, shape } }) => ({ name: '', shape, constant: constant! }),
  },
  Convert: {
    inputs: ['constant'],
    attributes: { destination_type: exactly('f32') },
    translate: ({ first }) => first,
  },
  Convolution: { inputs: ['computed', 'constant'], attributes: CONVOLUTION, translate: convolution },
  GroupConvolution: { inputs: ['computed', 'constant'], attributes: CONVOLUTION, translate: convolution },
  PReLU: { inputs: ['computed', 'constant'], attributes: {}, translate: prelu },
  Add: { inputs: ['any', 'any'], attributes: BROADCAST, translate: (scope) => binary('Add', scope) },
  Multiply: { inputs: ['any', 'any'], attributes: BROADCAST, translate: (scope) => binary('Mul', scope) },
  Sigmoid: {
    inputs: ['computed'],
    attributes: {},
    translate: ({ first, onnx }) => ({ name: onnx.node('Sigmoid', [first.name]), shape: first.shape }),
  },
  AvgPool: {
    inputs: ['computed'],
    attributes: {
      ...WINDOW,
      kernel: PAIR,
      'exclude-pad': exactly('true', 'false'),
      rounding_type: orNone(exactly('floor')),
    },
    translate: averagePool,
  },
  Result: { inputs: ['computed'], attributes: {}, translate: ({ first }) => first },
};

/**
 * Converts a network of OpenVINO, see `readIr`. The same files and names make the same bytes.
 * @param names of the network in the file, and of its output
 * @throws Error when the files are damaged, or have what the converter does not support
 */
export function convertOpenVino(
  { xml, weights }: { readonly xml: Uint8Array; readonly weights: Uint8Array },
  names: { readonly network: string; readonly output: string },
): Uint8Array {
  return encodeModel(convertIr(readIr(xml, weights), names.output), names.network);
}

/**
 * Converts a network of OpenVINO with one input and one output to ONNX, in 32-bit floating point. The input is called
 * `input`, [batch, channels, height, width]; the output has the given name and is flattened, [batch, values].
 * @param layers in topological order
 * @throws Error that names the layer which the converter does not support, and says what is allowed
 */
function convertIr(layers: readonly IrLayer[], output: string): OnnxGraph {
  for (const end of ['Parameter', 'Result']) {
    const count = layers.filter(({ type }) => type === end).length;
    if (count !== 1) throw new Error(`The network has ${count} layers ${end}; allowed is one.`);
  }
  const onnx = new OnnxWriter();
  const values = new Map<IrLayer, Value>();
  for (const layer of layers) {
    const inputs = layer.inputs.map((input) => values.get(input)!);
    const [first = NONE, second = NONE] = inputs;
    const value = operationOf(layer, inputs).translate({ layer, first, second, onnx });
    values.set(layer, value);
    if (layer.type === 'Result') {
      const flat = onnx.node('Flatten', [value.name], { axis: 1 });
      onnx.output(output, flat, ['batch', value.shape.reduce((product, side) => product * side, 1)]);
    } else if (value.shape.join() !== layer.shape.join()) {
      throw layer.fault(`states the shape ${layer.shape}, but its inputs give ${value.shape}`);
    }
  }
  return onnx.graph();
}

const NONE: Value = { name: '', shape: [] };

/** The operation of a layer whose inputs and attributes are those that it allows. */
function operationOf({ type, data, fault }: IrLayer, values: readonly Value[]): Operation {
  const operation = Object.hasOwn(operations, type) ? operations[type] : undefined;
  if (!operation) throw fault(`cannot be converted; allowed are ${Object.keys(operations).join(', ')}`);
  const { inputs, attributes } = operation;
  const kinds = values.map(({ constant }) => (constant ? 'constant' : 'computed'));
  const isAllowed =
    kinds.length === inputs.length && inputs.every((kind, i) => kind === 'any' || kind === kinds[i]);
  if (!isAllowed || (kinds.length === 2 && !kinds.includes('computed'))) {
    throw fault(`has the inputs ${kinds.join(', ') || 'none'}; allowed are ${inputs.join(', ') || 'none'}`);
  }
  for (const [key, { test, says, mayLack }] of Object.entries(attributes)) {
    const value = data.get(key);
    if (value === undefined ? !mayLack : !test.test(value)) {
      const found = value === undefined ? 'lacks' : `has ${JSON.stringify(value.slice(0, 80))} as`;
      throw fault(`${found} ${key}; allowed is ${says}`);
    }
  }
  const unknown = [...data.keys()].find((key) => !Object.hasOwn(attributes, key));
  if (unknown === undefined) return operation;
  const names = Object.keys(attributes).join(', ') || 'none';
  throw fault(`has the attribute ${unknown.slice(0, 40)}; allowed are ${names}`);
}

function parameter({ layer, onnx }: Scope): Value {
  const shape = sizesIn(layer.data.get('shape')!);
  return { name: onnx.input('input', ['batch', ...shape.slice(1)]), shape };
}

/** Weights are [outputs, inputs, height, width], with groups [groups, outputs, inputs, height, width]. */
function convolution({ layer, first, second, onnx }: Scope): Value {
  const isGrouped = layer.type === 'GroupConvolution';
  const rank = isGrouped ? 5 : 4;
  const [, channels = 0] = first.shape;
  const [group = 1, outputs = 0, inputs = 0, ...kernel] = isGrouped ? second.shape : [1, ...second.shape];
  if (second.shape.length !== rank || channels !== group * inputs) {
    throw layer.fault(
      `has weights ${second.shape} for ${channels} channels; allowed are ${rank} sizes that fit them`,
    );
  }
  const { area, attributes } = windowOf(layer, first.shape, kernel, sizesIn(layer.data.get('dilations')!));
  const filter = onnx.constant(second.constant!.data, [group * outputs, inputs, ...kernel]);
  const name = onnx.node('Conv', [first.name, filter], { ...attributes, group });
  return { name, shape: [1, group * outputs, ...area] };
}

function averagePool({ layer, first, onnx }: Scope): Value {
  const kernel = sizesIn(layer.data.get('kernel')!);
  const { area, attributes } = windowOf(layer, first.shape, kernel);
  const { dilations: _, ...plain } = attributes;
  const count_include_pad = layer.data.get('exclude-pad') === 'true' ? 0 : 1;
  const pads = attributes.pads.some((pad, i) => pad >= kernel[i % 2]!);
  if (pads) throw layer.fault('has padding as wide as its kernel; allowed is less');
  const name = onnx.node('AveragePool', [first.name], { ...plain, count_include_pad });
  return { name, shape: [1, first.shape[1]!, ...area] };
}

/** ONNX attributes of a window that moves over height and width, and the area that it leaves. */
function windowOf(
  { data, fault }: IrLayer,
  [, , ...from]: readonly number[],
  kernel_shape: readonly number[],
  dilations: readonly number[] = [1, 1],
) {
  const [strides, before, after] = ['strides', 'pads_begin', 'pads_end'].map((key) =>
    sizesIn(data.get(key)!),
  );
  const area = from.map((side, i) => {
    const free = side + before![i]! + after![i]! - dilations[i]! * (kernel_shape[i]! - 1) - 1;
    return Math.floor(free / strides![i]!) + 1;
  });
  if (area.some((side) => side < 1))
    throw fault(`has a kernel ${kernel_shape} that is larger than its input`);
  return { area, attributes: { kernel_shape, strides: strides!, pads: [...before!, ...after!], dilations } };
}

/** One slope for all channels is a `LeakyRelu`, which the runtime fuses with the convolution before it. */
function prelu({ layer, first: { name, shape }, second, onnx }: Scope): Value {
  const { data } = second.constant!;
  const [, channels] = shape;
  const form = second.shape.join();
  if (form === '1')
    return { name: onnx.node('LeakyRelu', [name], { alpha: { float: Number(data[0]) } }), shape };
  if (form !== String(channels)) {
    throw layer.fault(`has slopes ${form}; allowed are one, or ${channels}, one for each channel`);
  }
  return { name: onnx.node('PRelu', [name, onnx.constant(data, [data.length, 1, 1])]), shape };
}

/** A computed value first; shapes are matched from the right, and sizes of 1 repeated. */
function binary(op: string, { layer, first, second, onnx }: Scope): Value {
  const [left, right] = first.constant ? [second, first] : [first, second];
  const rank = Math.max(left.shape.length, right.shape.length);
  const shape = Array.from({ length: rank }, (_, i) => {
    const [a = 1, b = 1] = [left, right].map((value) => value.shape[i - rank + value.shape.length]);
    return a === 1 ? b : b === 1 || a === b ? a : 0;
  });
  if (rank !== 4 || shape[0] !== 1 || shape.includes(0)) {
    throw layer.fault(
      `combines ${left.shape} with ${right.shape}; allowed are sizes that are equal or 1, for a batch of any size`,
    );
  }
  const other = right.constant ? onnx.constant(right.constant.data, right.shape) : right.name;
  return { name: onnx.node(op, [left.name, other]), shape };
}
