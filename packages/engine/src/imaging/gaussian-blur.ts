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
  return blurDown(blurAcross(plane, side, kernel), side, kernel);
}

function blurAcross(plane: Float32Array, side: number, kernel: Float32Array): Float32Array {
  const result = new Float32Array(plane.length);
  const reach = kernel.length >> 1;
  const line = new Float64Array(side + 2 * reach);
  for (let from = 0; from < plane.length; from += side) {
    line.fill(plane[from]!, 0, reach).set(plane.subarray(from, from + side), reach);
    line.fill(plane[from + side - 1]!, reach + side);
    for (let i = 0; i < side; i++) {
      let sum = 0;
      for (let k = 0; k < kernel.length; k++) sum += kernel[k]! * line[i + k]!;
      result[from + i] = sum;
    }
  }
  return result;
}

function blurDown(plane: Float32Array, side: number, kernel: Float32Array): Float32Array {
  const result = new Float32Array(plane.length);
  const reach = kernel.length >> 1;
  const sums = new Float64Array(side);
  for (let row = 0; row < side; row++) {
    sums.fill(0);
    for (let k = 0; k < kernel.length; k++) {
      const from = Math.max(0, Math.min(side - 1, row + k - reach)) * side;
      const weight = kernel[k]!;
      for (let i = 0; i < side; i++) sums[i]! += weight * plane[from + i]!;
    }
    result.set(sums, row * side);
  }
  return result;
}

/** Difference of two blurs: the detail between two sizes. @param fine, coarse standard deviations, pixels; 0: none */
export function bandPass(plane: Float32Array, side: number, fine: number, coarse: number): Float32Array {
  const kept = fine > 0 ? gaussianBlur(plane, side, fine) : plane;
  const removed = gaussianBlur(plane, side, coarse);
  for (let i = 0; i < removed.length; i++) removed[i] = kept[i]! - removed[i]!;
  return removed;
}
