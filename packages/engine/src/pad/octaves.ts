import { gaussianBlur } from '../imaging/gaussian-blur.ts';

/** Standard deviation of the filter, pixels, and the pixels to each side that it reads. */
const SIGMA = 1;
const REACH = 2;

/**
 * Detail of a square plane by octave, the finest first: mean square of what a Gaussian filter removes. Each octave is
 * measured on the filtered plane of the one before at half its side.
 * @param side an even number of pixels at each octave
 */
export function octaves(plane: Float32Array, side: number, count: number): number[] {
  const energies: number[] = [];
  let [rest, size] = [plane, side];
  while (energies.length < count) {
    const coarse = gaussianBlur(rest, size, SIGMA, REACH);
    let squares = 0;
    for (let i = 0; i < coarse.length; i++) {
      const removed = rest[i]! - coarse[i]!;
      squares += removed * removed;
    }
    energies.push(squares / coarse.length);
    if (energies.length < count) rest = halved(coarse, size);
    size /= 2;
  }
  return energies;
}

/** Means of 2 × 2 pixels. */
function halved(plane: Float32Array, side: number): Float32Array {
  const half = side / 2;
  const means = new Float32Array(half * half);
  for (let row = 0, i = 0, at = 0; row < half; row++, at += side) {
    for (let column = 0; column < half; column++, i++, at += 2)
      means[i] = (plane[at]! + plane[at + 1]! + plane[at + side]! + plane[at + side + 1]!) / 4;
  }
  return means;
}
