import type { OnnxWriter } from './onnx.ts';
import type { TfjsNode } from './tfjs-graph.ts';
import type { Weight } from './tfjs-weights.ts';

/** A value of the graph under construction; with a size, it is four-dimensional in NCHW. */
export interface Value {
  readonly name: string;
  /** Null for a vector. */
  readonly size: Size | null;
}

/** Size of a picture of one batch entry. */
interface Size {
  readonly channels: number;
  readonly area: Area;
}

/** A value with height and width. */
interface Spatial extends Value {
  readonly size: Size;
}

/** The graph around a node. */
export interface Scope {
  readonly onnx: OnnxWriter;
  /** The computed value that input `index` of the node reads. */
  value(index: number): Value;
  /** The constant that input `index` of the node reads. */
  weight(index: number): Weight;
  isWeight(index: number): boolean;
}

type Translate = (node: TfjsNode, scope: Scope) => Value;

/** Channels of a block of the runtime's layout, on processors with AVX-512. */
const BLOCK = 16;

const translators: Readonly<Record<string, Translate>> = {
  Identity: same,
  Cast: same,
  // The graph unpacks one picture from its batch and packs it again; a whole batch passes unchanged.
  Unpack: same,
  ExpandDims: same,
  Conv2D: (node, scope) => convolution(node, scope),
  _FusedConv2D: (node, scope) => fused(node, scope, convolution),
  DepthwiseConv2dNative: (node, scope) => depthwise(node, scope),
  FusedDepthwiseConv2dNative: (node, scope) => fused(node, scope, depthwise),
  Sub: (_node, scope) => binary('Sub', scope),
  Add: (_node, scope) => binary('Add', scope),
  AddV2: (_node, scope) => binary('Add', scope),
  Mul: (_node, scope) => binary('Mul', scope),
  Clip: clip,
  Relu: (_node, scope) => unary('Relu', scope),
  Sigmoid: (_node, scope) => unary('Sigmoid', scope),
  Prelu: (node, scope) => prelu(spatial(node, scope), scope, 1),
  MaxPool: maxPool,
  Pad: pad,
  Mean: mean,
  Reshape: reshape,
  Squeeze: squeeze,
  ConcatV2: concat,
};

/** Writes the ONNX counterpart of one tfjs node. */
export function translate(node: TfjsNode, scope: Scope): Value {
  const translator = translators[node.op];
  if (!translator) throw new Error(`The graph uses ${node.op}, which cannot be converted.`);
  return translator(node, scope);
}

/** Transposes a spatial value to NHWC. */
export function toNhwc(value: Value, onnx: OnnxWriter): string {
  return value.size ? onnx.node('Transpose', [value.name], { perm: [0, 2, 3, 1] }) : value.name;
}

function same(_node: TfjsNode, scope: Scope): Value {
  return scope.value(0);
}

function spatial(node: TfjsNode, scope: Scope, index = 0): Spatial {
  const { name, size } = scope.value(index);
  if (!size) throw new Error(`The input of ${node.name} has no height and width.`);
  return { name, size };
}

function constant(weight: Weight, scope: Scope): string {
  return scope.onnx.constant(weight.data, weight.shape);
}

function convolution(node: TfjsNode, scope: Scope, bias: readonly string[] = []): Spatial {
  return convolve(node, scope, toOihw(scope.weight(1)), 1, bias);
}

function depthwise(node: TfjsNode, scope: Scope, bias: readonly string[] = []): Spatial {
  const weight = scope.weight(1);
  return convolve(node, scope, toDepthwise(weight), weight.shape[2] ?? 1, bias);
}

function convolve(
  node: TfjsNode,
  scope: Scope,
  filter: Weight,
  group: number,
  bias: readonly string[] = [],
): Spatial {
  const input = spatial(node, scope);
  const window = windowOf(node, input.size.area, kernelOf(filter));
  const inputs = [input.name, constant(filter, scope), ...bias];
  const name = scope.onnx.node('Conv', inputs, { ...window.attributes, group });
  return { name, size: { channels: filter.shape[0] ?? 1, area: window.area } };
}

/** Height and width of an OIHW filter. */
function kernelOf({ shape }: Weight): Area {
  return [shape[2] ?? 1, shape[3] ?? 1];
}

/** A convolution with its bias and perhaps an activation. */
function fused(node: TfjsNode, scope: Scope, convolve: typeof convolution): Value {
  const [first, activation, ...rest] = node.texts('fused_ops');
  if (first !== 'BiasAdd' || rest.length > 0) {
    throw new Error(`The fused operations of ${node.name} cannot be converted.`);
  }
  const out = convolve(node, scope, [constant(scope.weight(2), scope)]);
  if (activation === undefined) return out;
  if (activation === 'Relu') return { ...out, name: scope.onnx.node('Relu', [out.name]) };
  if (activation === 'Relu6') return { ...out, name: between(out.name, [0, 6], scope) };
  if (activation === 'Prelu') return prelu(out, scope, 3);
  throw new Error(`The activation ${activation} of ${node.name} cannot be converted.`);
}

/**
 * x + (1 − slope) · max(−x, 0), signs and slopes as 1×1 depthwise convolutions: equal to ONNX's PRelu, which the runtime
 * computes value by value outside of its blocked layout. The addition becomes a part of the second convolution.
 */
function prelu({ name, size }: Spatial, scope: Scope, slope: number): Spatial {
  const scale = (value: string, factors: Float32Array) => {
    const filter = scope.onnx.constant(factors, [size.channels, 1, 1, 1]);
    return scope.onnx.node('Conv', [value, filter], { group: size.channels });
  };
  const slopes = scope.weight(slope).data;
  const negated = scale(
    name,
    slopes.map(() => -1),
  );
  const raised = scale(
    scope.onnx.node('Relu', [negated]),
    slopes.map((value) => 1 - value),
  );
  return { name: scope.onnx.node('Add', [raised, name]), size };
}

function unary(op: string, scope: Scope): Value {
  const { name, size } = scope.value(0);
  return { name: scope.onnx.node(op, [name]), size };
}

/** An operation of two values, or of a value and a constant (one number, or one per channel). */
function binary(op: string, scope: Scope): Value {
  const { name, size } = scope.value(0);
  if (!scope.isWeight(1)) return { name: scope.onnx.node(op, [name, scope.value(1).name]), size };
  const weight = scope.weight(1);
  const right = size && weight.shape.length > 0 ? perChannel(weight) : weight;
  return { name: scope.onnx.node(op, [name, constant(right, scope)]), size };
}

function between(value: string, limits: readonly [number, number], { onnx }: Scope): string {
  const [lower, upper] = limits.map((limit) => onnx.constant(Float32Array.of(limit), []));
  return onnx.node('Clip', [value, lower!, upper!]);
}

/** See `foldClips`: lower and upper limit. */
function clip(_node: TfjsNode, scope: Scope): Value {
  const { name, size } = scope.value(0);
  const limits = [1, 2].map((index) => constant(scope.weight(index), scope));
  return { name: scope.onnx.node('Clip', [name, ...limits]), size };
}

function maxPool(node: TfjsNode, scope: Scope): Value {
  const { name, size } = spatial(node, scope);
  const kernel_shape = areaOf(node.ints('ksize'));
  const window = windowOf(node, size.area, kernel_shape);
  const pooled = scope.onnx.node('MaxPool', [name], { ...window.attributes, kernel_shape });
  return { name: blocked(pooled, size.channels, scope), size: { ...size, area: window.area } };
}

/**
 * The runtime pools channels that do not fill its blocks outside of the blocked layout, and computes all additions to the
 * result there as well. A convolution that copies the channels takes the result back.
 */
function blocked(value: string, channels: number, scope: Scope): string {
  if (channels % BLOCK === 0) return value;
  return scope.onnx.node('Conv', [value, constant(widening(channels, channels), scope)]);
}

/** Supports padding of channels at the end only. */
function pad(node: TfjsNode, scope: Scope): Value {
  const { name, size } = spatial(node, scope);
  const { data } = scope.weight(1);
  if (data.subarray(0, 7).some((amount) => amount !== 0)) {
    throw new Error(`The padding ${node.name} is not one of channels.`);
  }
  const channels = size.channels + (data[7] ?? 0);
  const widened = scope.onnx.node('Conv', [name, constant(widening(size.channels, channels), scope)]);
  return { name: widened, size: { ...size, channels } };
}

function mean(node: TfjsNode, scope: Scope): Value {
  const axes = [...scope.weight(1).data];
  if (axes.join() !== '1,2' || node.flag('keep_dims')) {
    throw new Error(`The mean ${node.name} is not one over height and width.`);
  }
  const input = spatial(node, scope);
  return { name: scope.onnx.node('ReduceMean', [input.name], { axes: [2, 3], keepdims: 0 }), size: null };
}

/** The first size becomes 0, which keeps the batch size, the second one is what is left: it follows the input's area. */
function reshape(_node: TfjsNode, scope: Scope): Value {
  const [, , ...sizes] = scope.weight(1).data;
  const flat = toNhwc(scope.value(0), scope.onnx);
  return { name: scope.onnx.node('Reshape', [flat, scope.onnx.integers([0, -1, ...sizes])]), size: null };
}

/** Removes height and width of 1, or the batch, see `Unpack`. */
function squeeze(node: TfjsNode, scope: Scope): Value {
  if (node.ints('squeeze_dims').join() === '0') return scope.value(0);
  const { name, size } = spatial(node, scope);
  if (node.ints('squeeze_dims').join() !== '1,2' || size.area.join() !== '1,1') {
    throw new Error(`The squeezing ${node.name} is not one of height and width.`);
  }
  return { name: scope.onnx.node('Reshape', [name, scope.onnx.integers([0, size.channels])]), size: null };
}

function concat(node: TfjsNode, scope: Scope): Value {
  const last = node.inputs.length - 1;
  if (scope.weight(last).data[0] !== 3) {
    throw new Error(`The concatenation ${node.name} is not one of channels.`);
  }
  const parts = Array.from({ length: last }, (_, index) => spatial(node, scope, index));
  const sizes = parts.map((part) => part.size.channels);
  const channels = sizes.reduce((sum, count) => sum + count, 0);
  const name = scope.onnx.node(
    'Concat',
    parts.map((part) => part.name),
    { axis: 1 },
  );
  return { name, size: { channels, area: parts[0]!.size.area } };
}

/**
 * @NOTE layout
 * TensorFlow stores activations as NHWC and filters as HWIO, ONNX as NCHW and OIHW. Converted graphs are NCHW throughout;
 * values that lose their spatial shape (a reshape, an output) are transposed to NHWC first, to keep the original's order.
 */

/** HWIO → OIHW. */
function toOihw({ shape, data }: Weight): Weight {
  const [height = 1, width = 1, input = 1, output = 1] = shape;
  const moved = new Float32Array(data.length);
  let from = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let i = 0; i < input; i += 1)
        for (let o = 0; o < output; o += 1, from += 1)
          moved[((o * input + i) * height + y) * width + x] = data[from] ?? 0;
  return { shape: [output, input, height, width], data: moved };
}

/** Depthwise filter [H, W, C, M] → [C·M, 1, H, W]. */
function toDepthwise({ shape, data }: Weight): Weight {
  const [height = 1, width = 1, channels = 1, multiplier = 1] = shape;
  return toOihw({ shape: [height, width, 1, channels * multiplier], data });
}

/** A value per channel (the last axis, all others 1) → [C, 1, 1], which broadcasts over NCHW. */
function perChannel({ data }: Weight): Weight {
  return { shape: [data.length, 1, 1], data };
}

/**
 * 1×1 filter that copies `from` channels and adds zero ones up to `to`. A `Pad` node would do the same, but outside of the
 * runtime's blocked layout; multiplication by ones and zeros changes no value.
 */
function widening(from: number, to: number): Weight {
  const data = new Float32Array(to * from);
  for (let channel = 0; channel < from; channel += 1) data[channel * from + channel] = 1;
  return { shape: [to, from, 1, 1], data };
}

/** Height and width. */
export type Area = readonly [number, number];

/** ONNX attributes of a sliding window, and the area of its output. */
interface Window {
  readonly attributes: { readonly strides: Area; readonly dilations: Area; readonly pads: readonly number[] };
  readonly area: Area;
}

/**
 * The window of a convolution or pooling with a kernel of the given size.
 *
 * TensorFlow's SAME padding gives an output of ceil(input / stride) pixels, the odd pixel of padding at the end. It is
 * written as numbers and not as ONNX's `SAME_UPPER`: the runtime keeps its blocked layout across residual additions only
 * where the sizes are constants.
 */
function windowOf(node: TfjsNode, input: Area, kernel: Area): Window {
  const padding = node.text('padding');
  if (padding !== 'SAME' && padding !== 'VALID') {
    throw new Error(`The padding ${padding} of ${node.name} cannot be converted.`);
  }
  const strides = areaOf(node.ints('strides'));
  const dilations = areaOf(node.ints('dilations'));
  const sides = [0, 1].map((axis) =>
    side(input[axis]!, kernel[axis]!, strides[axis]!, dilations[axis]!, padding),
  );
  const [height, width] = sides as [Side, Side];
  return {
    attributes: { strides, dilations, pads: [height.before, width.before, height.after, width.after] },
    area: [height.size, width.size],
  };
}

/** The middle two of the four numbers of an NHWC attribute; 1 where the attribute is left out. */
function areaOf(numbers: readonly number[]): Area {
  return [numbers[1] ?? 1, numbers[2] ?? 1];
}

interface Side {
  readonly size: number;
  readonly before: number;
  readonly after: number;
}

function side(
  input: number,
  kernel: number,
  stride: number,
  dilation: number,
  padding: 'SAME' | 'VALID',
): Side {
  const reach = (kernel - 1) * dilation + 1;
  if (padding === 'VALID') return { size: Math.floor((input - reach) / stride) + 1, before: 0, after: 0 };
  const size = Math.ceil(input / stride);
  const total = Math.max(0, (size - 1) * stride + reach - input);
  return { size, before: Math.floor(total / 2), after: Math.ceil(total / 2) };
}
