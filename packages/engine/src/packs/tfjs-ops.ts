import { EngineError } from '../errors.ts';
import { perChannel, toDepthwise, toOihw } from './layout.ts';
import type { Attributes, OnnxWriter } from './onnx-writer.ts';
import type { TfjsNode } from './tfjs-graph.ts';
import type { Weight } from './tfjs-weights.ts';

/** A value of the graph under construction. `spatial` values are four-dimensional and kept NCHW. */
export interface Value {
  readonly name: string;
  readonly spatial: boolean;
}

/** What a translator sees of the graph around its node. */
export interface Scope {
  readonly onnx: OnnxWriter;
  /** The computed value that input `index` of the node reads. */
  value(index: number): Value;
  /** The constant that input `index` of the node reads. */
  weight(index: number): Weight;
  isWeight(index: number): boolean;
}

type Translate = (node: TfjsNode, scope: Scope) => Value;

const translators: Readonly<Record<string, Translate>> = {
  Identity: (_node, scope) => scope.value(0),
  Conv2D: (node, scope) => spatial(convolution(node, scope)),
  _FusedConv2D: fusedConvolution,
  DepthwiseConv2dNative: (node, scope) => spatial(depthwise(node, scope)),
  Add: (_node, scope) => binary('Add', scope),
  AddV2: (_node, scope) => binary('Add', scope),
  Mul: (_node, scope) => binary('Mul', scope),
  Minimum: (_node, scope) => binary('Min', scope),
  Maximum: (_node, scope) => binary('Max', scope),
  Relu: (_node, scope) => unary('Relu', scope),
  Sigmoid: (_node, scope) => unary('Sigmoid', scope),
  Prelu: (_node, scope) => spatial(prelu(scope.value(0).name, scope, 1)),
  MaxPool: (node, scope) =>
    spatial(
      scope.onnx.node('MaxPool', [scope.value(0).name], {
        ...window(node),
        kernel_shape: inner(node, 'ksize'),
      }),
    ),
  Pad: pad,
  Mean: mean,
  Reshape: reshape,
  ConcatV2: concat,
};

/** Writes the ONNX counterpart of one tfjs node. */
export function translate(node: TfjsNode, scope: Scope): Value {
  const translator = translators[node.op];
  if (!translator) throw new EngineError('pack', `The graph uses ${node.op}, which cannot be converted`);
  return translator(node, scope);
}

/** Brings a spatial value back to NHWC. */
export function toNhwc(value: Value, onnx: OnnxWriter): string {
  return value.spatial ? onnx.node('Transpose', [value.name], { perm: [0, 2, 3, 1] }) : value.name;
}

function spatial(name: string): Value {
  return { name, spatial: true };
}

function constant(weight: Weight, scope: Scope): string {
  return scope.onnx.constant(weight.data, weight.shape);
}

/** The middle two of the four NHWC numbers of an attribute: height and width. */
function inner(node: TfjsNode, attribute: string): readonly number[] {
  return node.ints(attribute).slice(1, 3);
}

/** Strides and padding; TensorFlow's SAME puts the odd pixel at the end, as SAME_UPPER does. */
function window(node: TfjsNode): Attributes {
  const padding = node.text('padding');
  if (padding !== 'SAME' && padding !== 'VALID') {
    throw new EngineError('pack', `The padding ${padding} of ${node.name} cannot be converted`);
  }
  return { strides: inner(node, 'strides'), auto_pad: padding === 'SAME' ? 'SAME_UPPER' : 'VALID' };
}

function convolution(node: TfjsNode, scope: Scope, bias: readonly string[] = []): string {
  const filter = constant(toOihw(scope.weight(1)), scope);
  const attributes = { ...window(node), dilations: inner(node, 'dilations') };
  return scope.onnx.node('Conv', [scope.value(0).name, filter, ...bias], attributes);
}

function depthwise(node: TfjsNode, scope: Scope): string {
  const weight = scope.weight(1);
  const attributes = { ...window(node), dilations: inner(node, 'dilations'), group: weight.shape[2] ?? 1 };
  return scope.onnx.node('Conv', [scope.value(0).name, constant(toDepthwise(weight), scope)], attributes);
}

function fusedConvolution(node: TfjsNode, scope: Scope): Value {
  const [first, activation, ...rest] = node.texts('fused_ops');
  if (first !== 'BiasAdd' || rest.length > 0) {
    throw new EngineError('pack', `The fused operations of ${node.name} cannot be converted`);
  }
  const out = convolution(node, scope, [constant(scope.weight(2), scope)]);
  if (activation === undefined) return spatial(out);
  if (activation === 'Relu') return spatial(scope.onnx.node('Relu', [out]));
  if (activation === 'Prelu') return spatial(prelu(out, scope, 3));
  throw new EngineError('pack', `The activation ${activation} of ${node.name} cannot be converted`);
}

function prelu(input: string, scope: Scope, slope: number): string {
  return scope.onnx.node('PRelu', [input, constant(perChannel(scope.weight(slope)), scope)]);
}

function unary(op: string, scope: Scope): Value {
  const { name, spatial } = scope.value(0);
  return { name: scope.onnx.node(op, [name]), spatial };
}

/** An operation of two values, or of a value and a constant (one number, or one per channel). */
function binary(op: string, scope: Scope): Value {
  const left = scope.value(0);
  if (!scope.isWeight(1)) {
    return { name: scope.onnx.node(op, [left.name, scope.value(1).name]), spatial: left.spatial };
  }
  const weight = scope.weight(1);
  const right = left.spatial && weight.shape.length > 0 ? perChannel(weight) : weight;
  return { name: scope.onnx.node(op, [left.name, constant(right, scope)]), spatial: left.spatial };
}

function pad(_node: TfjsNode, scope: Scope): Value {
  const at = (axis: number, end: number) => scope.weight(1).data[2 * axis + end] ?? 0;
  const channelsFirst = [0, 3, 1, 2];
  const amounts = [0, 1].flatMap((end) => channelsFirst.map((axis) => at(axis, end)));
  return spatial(scope.onnx.node('Pad', [scope.value(0).name, scope.onnx.integers(amounts)]));
}

function mean(node: TfjsNode, scope: Scope): Value {
  const axes = [...scope.weight(1).data];
  if (axes.join() !== '1,2' || node.flag('keep_dims')) {
    throw new EngineError('pack', `The mean ${node.name} is not one over height and width`);
  }
  const name = scope.onnx.node('ReduceMean', [scope.value(0).name], { axes: [2, 3], keepdims: 0 });
  return { name, spatial: false };
}

/** The first size becomes 0, "as it is", so that a batch stays a batch. */
function reshape(_node: TfjsNode, scope: Scope): Value {
  const [, ...sizes] = scope.weight(1).data;
  const name = scope.onnx.node('Reshape', [
    toNhwc(scope.value(0), scope.onnx),
    scope.onnx.integers([0, ...sizes]),
  ]);
  return { name, spatial: false };
}

function concat(node: TfjsNode, scope: Scope): Value {
  const last = node.inputs.length - 1;
  if (scope.weight(last).data[0] !== 3) {
    throw new EngineError('pack', `The concatenation ${node.name} is not one of channels`);
  }
  const parts = Array.from({ length: last }, (_, index) => scope.value(index).name);
  return spatial(scope.onnx.node('Concat', parts, { axis: 1 }));
}
