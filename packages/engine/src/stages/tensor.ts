import type { Tensor } from '../packs/pack.ts';
import type { Crop } from '../sampler.ts';

/** A batch of equally large crops as an NCHW tensor: value × `scale` + `shift` (one shift for all, or one a channel). */
export function batch(
  crops: readonly Crop[],
  scale: number,
  shift: number | readonly [number, number, number],
): Tensor {
  const { width, height } = crops[0]!;
  const plane = width * height;
  const data = new Float32Array(crops.length * plane * 3);
  let to = 0;
  for (const crop of crops) {
    for (let channel = 0; channel < 3; channel++) {
      const add = typeof shift === 'number' ? shift : shift[channel]!;
      for (let at = channel * plane, end = at + plane; at < end; at++)
        data[to++] = crop.data[at]! * scale + add;
    }
  }
  return { data, dims: [crops.length, 3, height, width] };
}

/** The same crop in a mirror. */
export function mirrorCrop(crop: Crop): Crop {
  const { width, height } = crop;
  const data = new Float32Array(crop.data.length);
  for (let start = 0; start < data.length; start += width) {
    for (let x = 0; x < width; x++) data[start + x] = crop.data[start + width - 1 - x]!;
  }
  return { width, height, data };
}

/** 1 / (1 + e^−x) */
export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
