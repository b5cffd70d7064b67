import { fourierPlanes, SIDE } from './fourier-transform.ts';

/** Side of the patch that is transformed, pixels. */
export const PATCH = SIDE;

/** Power spectrum of a PATCH × PATCH patch less its mean under a Hann window: |FFT|² over the number of pixels. */
export function powerSpectrum(luminance: Float32Array): Float32Array {
  return fourierPlanes().power(luminance).slice();
}

/**
 * Sum of the power spectra of several patches. Two are transformed as real and imaginary part of one: their powers sum to
 * the mean of the power at a frequency and at its negative.
 */
export function summedPower(patches: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(PATCH * PATCH);
  for (let i = 0; i < patches.length; i += 2) {
    const both = fourierPlanes().power(patches[i]!, patches[i + 1]);
    for (let at = 0; at < sum.length; at++) sum[at]! += both[at]!;
  }
  for (let row = 0; row <= PATCH / 2; row++) {
    const opposite = ((PATCH - row) % PATCH) * PATCH;
    for (let column = 0; column < PATCH; column++) {
      const [at, negative] = [row * PATCH + column, opposite + ((PATCH - column) % PATCH)];
      sum[at] = sum[negative] = (sum[at]! + sum[negative]!) / 2;
    }
  }
  return sum;
}

/** Natural logarithm of each value of a power spectrum, after `least`, more than 0, is added. */
export function logarithms(spectrum: Float32Array, least: number): Float32Array {
  return fourierPlanes().logarithms(spectrum, least).slice();
}
