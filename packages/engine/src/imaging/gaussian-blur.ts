const kernels = new Map<string, Float32Array>();

function kernelOf(sigma: number, reach: number): Float32Array {
  const key = `${sigma} ${reach}`;
  const known = kernels.get(key);
  if (known) return known;
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)),
  );
  const sum = kernel.reduce((all, weight) => all + weight, 0);
  const scaled = kernel.map((weight) => weight / sum);
  kernels.set(key, scaled);
  return scaled;
}

/**
 * Gaussian blur of a square plane; the edge is repeated outside.
 * @param sigma pixels
 * @param reach pixels to each side that the filter reads
 */
export function gaussianBlur(
  plane: Float32Array,
  side: number,
  sigma: number,
  reach: number = Math.ceil(3 * sigma),
): Float32Array {
  const kernel = kernelOf(sigma, reach);
  return blurAlong(blurAlong(plane, side, kernel, 1, side), side, kernel, side, 1);
}

/** @param step from a sample to the next along the kernel @param across from a line to the next */
function blurAlong(
  plane: Float32Array,
  side: number,
  kernel: Float32Array,
  step: number,
  across: number,
): Float32Array {
  const result = new Float32Array(plane.length);
  const reach = kernel.length >> 1;
  for (let line = 0; line < side; line++) {
    for (let i = 0; i < side; i++) {
      let sum = 0;
      for (let k = -reach; k <= reach; k++) {
        const at = Math.max(0, Math.min(side - 1, i + k));
        sum += kernel[k + reach]! * plane[line * across + at * step]!;
      }
      result[line * across + i * step] = sum;
    }
  }
  return result;
}

/** Difference of two blurs: the detail between two sizes. @param fine, coarse standard deviations, pixels; 0: none */
export function bandPass(plane: Float32Array, side: number, fine: number, coarse: number): Float32Array {
  const kept = fine > 0 ? gaussianBlur(plane, side, fine) : plane;
  const removed = gaussianBlur(plane, side, coarse);
  return kept.map((value, i) => value - removed[i]!);
}
