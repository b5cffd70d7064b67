import { fourierPlanes, SIDE } from './fourier-transform.ts';

/** Side of the patch that is transformed, pixels. */
export const PATCH = SIDE;

/** Power spectrum of a PATCH × PATCH patch less its mean under a Hann window: |FFT|² over the number of pixels. */
export function powerSpectrum(luminance: Float32Array): Float64Array {
  return fourierPlanes().power(luminance).slice();
}

/**
 * Sum of the power spectra of several patches. Two are transformed as real and imaginary part of one: their powers sum to
 * the mean of the power at a frequency and at its negative.
 */
export function summedPower(patches: readonly Float32Array[]): Float64Array {
  const sum = new Float64Array(PATCH * PATCH);
  for (let i = 0; i < patches.length; i += 2) {
    const both = fourierPlanes().power(patches[i]!, patches[i + 1]);
    for (let at = 0; at < sum.length; at++) sum[at]! += both[at]!;
  }
  for (let at = 0; at < sum.length; at++) {
    const negative = NEGATIVE[at]!;
    if (negative > at) sum[at] = sum[negative] = (sum[at]! + sum[negative]!) / 2;
  }
  return sum;
}

/** Natural logarithm of each value of a power spectrum, after `least` is added: those of one half, as it is symmetric. */
export function logarithms(spectrum: Float64Array, least: number): Float64Array {
  const logs = new Float64Array(spectrum.length);
  for (let row = 0; row < PATCH; row++) {
    for (let at = row * PATCH, end = at + PATCH / 2; at <= end; at++) {
      logs[at] = Math.log(spectrum[at]! + least);
      logs[NEGATIVE[at]!] = logs[at]!;
    }
  }
  return logs;
}

/** Index of the negative of each frequency. */
const NEGATIVE = Uint16Array.from({ length: PATCH * PATCH }, (_, at) => {
  const row = (PATCH - Math.floor(at / PATCH)) % PATCH;
  return row * PATCH + ((PATCH - (at % PATCH)) % PATCH);
});
