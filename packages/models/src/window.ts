import type { TfjsNode } from './tfjs-graph.ts';

/** Height and width. */
export type Area = readonly [number, number];

/** ONNX attributes of a sliding window, and the area of its output. */
export interface Window {
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
export function windowOf(node: TfjsNode, input: Area, kernel: Area): Window {
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
export function areaOf(numbers: readonly number[]): Area {
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
