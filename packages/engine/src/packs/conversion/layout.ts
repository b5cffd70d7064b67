/**
 * @NOTE layout
 * TensorFlow stores activations as NHWC and filters as HWIO, ONNX as NCHW and OIHW. Converted graphs are NCHW throughout;
 * values that lose their spatial shape (a reshape, an output) are transposed to NHWC first, to keep the original's order.
 */
import type { Weight } from './tfjs-weights.ts';

/** HWIO → OIHW. */
export function toOihw({ shape, data }: Weight): Weight {
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
export function toDepthwise({ shape, data }: Weight): Weight {
  const [height = 1, width = 1, channels = 1, multiplier = 1] = shape;
  return toOihw({ shape: [height, width, 1, channels * multiplier], data });
}

/** A value per channel (the last axis, all others 1) → [C, 1, 1], which broadcasts over NCHW. */
export function perChannel({ data }: Weight): Weight {
  return { shape: [data.length, 1, 1], data };
}

/**
 * 1×1 filter that copies `from` channels and adds zero ones up to `to`. A `Pad` node would do the same, but outside of the
 * runtime's blocked layout; multiplication by ones and zeros changes no value.
 */
export function widening(from: number, to: number): Weight {
  const data = new Float32Array(to * from);
  for (let channel = 0; channel < from; channel += 1) data[channel * from + channel] = 1;
  return { shape: [to, from, 1, 1], data };
}
