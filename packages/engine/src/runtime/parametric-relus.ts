import {
  DELIMITED,
  type Field,
  fieldsOf,
  GRAPH,
  groupAttribute,
  initializerOf,
  NODE,
  tensorOf,
  textsOf,
  withGraph,
  written,
} from './onnx-file.ts';

/**
 * Writes the parametric ReLUs of an ONNX model as x + (1 − slope) · max(−x, 0), signs and slopes as 1×1 depthwise
 * convolutions. The runtime computes PRelu value by value outside of its blocked layout: it takes up to two fifths of a
 * small network's time, and the layout is changed before and after each. The addition becomes a part of a convolution.
 *
 * All else is copied as it is. A PRelu whose slopes are no float32 constant of one value for each channel is left.
 * @returns the model itself when it has none, or is no ONNX model
 */
export function withoutParametricRelus(model: Uint8Array): Uint8Array {
  return withGraph(model, rewritten);
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
  const [input, slope] = textsOf(fields, NODE.input);
  const [output] = textsOf(fields, NODE.output);
  const values = slope === undefined ? undefined : slopes.get(slope);
  if (textsOf(fields, NODE.opType)[0] !== 'PRelu' || !values || input === undefined || !output) return null;
  return { input, output, slopes: values };
}

/** Name and values of a float32 tensor of C × 1 × 1 or 1 × C × 1 × 1; empty for others. */
function channelValues(initializer: Uint8Array): [string, Float32Array][] {
  const tensor = tensorOf(initializer);
  if (!tensor) return [];
  const { name, dims, values } = tensor;
  const [, ...ones] = dims.length === 4 && dims[0] === 1 ? dims.slice(1) : dims;
  return ones.length === 2 && ones.every((one) => one === 1) ? [[name, values]] : [];
}

function nodesOf({ input, output, slopes }: ParametricRelu): Field[] {
  const [negative, positive, raised] = ['-negative', '-positive', '-raised'].map((part) => output + part);
  const group = groupAttribute(slopes.length);
  return [
    node('Conv', [input, `${output}-signs`], negative!, group),
    node('Relu', [negative!], positive!),
    node('Conv', [positive!, `${output}-slopes`], raised!, group),
    node('Add', [raised!, input], output),
  ];
}

function node(op: string, inputs: readonly string[], output: string, attribute?: Field): Field {
  const text = (number: number, value: string): Field => ({
    number,
    type: DELIMITED,
    bytes: Buffer.from(value),
  });
  const fields = [
    ...inputs.map((input) => text(NODE.input, input)),
    text(NODE.output, output),
    text(NODE.name, output),
    text(NODE.opType, op),
    ...(attribute ? [attribute] : []),
  ];
  return { number: GRAPH.node, type: DELIMITED, bytes: written(fields) };
}

function constantsOf({ output, slopes }: ParametricRelu): Field[] {
  const dims = [slopes.length, 1, 1, 1];
  return [
    initializerOf({ name: `${output}-signs`, dims, values: slopes.map(() => -1) }),
    initializerOf({ name: `${output}-slopes`, dims, values: slopes.map((slope) => 1 - slope) }),
  ];
}
