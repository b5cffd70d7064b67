import { EngineError } from '../errors.ts';
import { toOihw, widening } from './layout.ts';
import { OnnxWriter } from './onnx-writer.ts';
import { decodeWeights, type Weight, weightsManifestSchema } from './tfjs-weights.ts';

/**
 * @NOTE dlib-resnet
 * The network of dlib's face recognition example (http://dlib.net/dnn_face_recognition_ex.cpp.html) with the
 * weight names of face-api. Each block is two 3×3 convolutions beside a shortcut; a "down" block halves the
 * picture in its first convolution (without padding) and in a 2×2 average of the shortcut. The two sides then
 * differ by a row, a column and half of the channels: the smaller one is filled up with zeros at the end.
 */
interface Block {
  readonly name: string;
  readonly down?: { readonly from: number; readonly to: number; readonly fillPixel: boolean };
}

const BLOCKS: readonly Block[] = [
  { name: 'conv32_1' },
  { name: 'conv32_2' },
  { name: 'conv32_3' },
  { name: 'conv64_down', down: { from: 32, to: 64, fillPixel: false } },
  { name: 'conv64_1' },
  { name: 'conv64_2' },
  { name: 'conv64_3' },
  { name: 'conv128_down', down: { from: 64, to: 128, fillPixel: false } },
  { name: 'conv128_1' },
  { name: 'conv128_2' },
  { name: 'conv256_down', down: { from: 128, to: 256, fillPixel: true } },
  { name: 'conv256_1' },
  { name: 'conv256_2' },
  { name: 'conv256_down_out', down: { from: 256, to: 256, fillPixel: true } },
];

const SIDE = 150;
const DESCRIPTOR = 128;

/**
 * Builds the dlib ResNet as ONNX: `input` [batch, 3, 150, 150] → `descriptor` [batch, 128].
 *
 * @param manifest text of the weights manifest of face-api
 * @throws EngineError `pack` when weights are missing
 */
export function buildDlibResnet(manifest: string, bytes: Uint8Array): Uint8Array {
  const specs = weightsManifestSchema.parse(JSON.parse(manifest)).flatMap((group) => group.weights);
  const weights = decodeWeights(specs, bytes);
  const onnx = new OnnxWriter();
  let x = onnx.input('input', ['batch', 3, SIDE, SIDE]);
  x = onnx.node('Relu', [convolution(onnx, weights, 'conv32_down', x, { stride: 2, pad: 0 })]);
  x = onnx.node('MaxPool', [x], { kernel_shape: [3, 3], strides: [2, 2] });
  for (const block of BLOCKS) x = residual(onnx, weights, block, x);
  x = onnx.node('ReduceMean', [x], { axes: [2, 3], keepdims: 0 });
  const fc = need(weights, 'fc');
  x = onnx.node('MatMul', [x, onnx.constant(fc.data, fc.shape)]);
  onnx.output('descriptor', x, ['batch', DESCRIPTOR]);
  return onnx.finish('dlib-resnet');
}

function residual(onnx: OnnxWriter, weights: ReadonlyMap<string, Weight>, block: Block, x: string): string {
  const { name, down } = block;
  const first = convolution(
    onnx,
    weights,
    `${name}/conv1`,
    x,
    down ? { stride: 2, pad: 0 } : { stride: 1, pad: 1 },
  );
  let main = convolution(onnx, weights, `${name}/conv2`, onnx.node('Relu', [first]), { stride: 1, pad: 1 });
  let shortcut = x;
  if (down) {
    shortcut = onnx.node('AveragePool', [x], { kernel_shape: [2, 2], strides: [2, 2] });
    if (down.to > down.from) shortcut = widen(onnx, shortcut, down.from, down.to);
    if (down.fillPixel) main = onnx.node('Pad', [main, onnx.integers([0, 0, 0, 0, 0, 0, 1, 1])]);
  }
  return onnx.node('Relu', [onnx.node('Add', [main, shortcut])]);
}

function widen(onnx: OnnxWriter, x: string, from: number, to: number): string {
  const { data, shape } = widening(from, to);
  return onnx.node('Conv', [x, onnx.constant(data, shape)]);
}

/** A convolution with bias, and the scale layer behind it folded in: s·(w∗x + b) + t. */
function convolution(
  onnx: OnnxWriter,
  weights: ReadonlyMap<string, Weight>,
  name: string,
  x: string,
  { stride, pad }: { stride: number; pad: number },
): string {
  const filter = toOihw(need(weights, `${name}/conv/filters`));
  const scale = need(weights, `${name}/scale/weights`).data;
  const shift = need(weights, `${name}/scale/biases`).data;
  const perOutput = filter.data.length / scale.length;
  const scaled = filter.data.map((value, index) => value * (scale[Math.floor(index / perOutput)] ?? 0));
  const bias = need(weights, `${name}/conv/bias`).data.map((b, o) => b * (scale[o] ?? 0) + (shift[o] ?? 0));
  return onnx.node('Conv', [x, onnx.constant(scaled, filter.shape), onnx.constant(bias, [bias.length])], {
    strides: [stride, stride],
    pads: [pad, pad, pad, pad],
  });
}

function need(weights: ReadonlyMap<string, Weight>, name: string): Weight {
  const weight = weights.get(name);
  if (!weight) throw new EngineError('pack', `The weights lack ${name}.`);
  return weight;
}
