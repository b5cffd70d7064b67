import { fourierPlanes, SIDE } from './fourier-transform.ts';

/** Side of the patch that is transformed, pixels. */
export const PATCH = SIDE;

const WINDOW = Float64Array.from(
  { length: PATCH },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / PATCH),
);

/** Power spectrum of a PATCH × PATCH patch less its mean under a Hann window: |FFT|² over the number of pixels. */
export function powerSpectrum(luminance: Float32Array): Float64Array {
  return power(luminance);
}

/**
 * Sum of the power spectra of several patches. Two are transformed as real and imaginary part of one: their powers sum to
 * the mean of the power at a frequency and at its negative.
 */
export function summedPower(patches: readonly Float32Array[]): Float64Array {
  const sum = new Float64Array(PATCH * PATCH);
  for (let i = 0; i < patches.length; i += 2) {
    const both = power(patches[i]!, patches[i + 1]);
    for (let at = 0; at < sum.length; at++) sum[at]! += (both[at]! + both[NEGATIVE[at]!]!) / 2;
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

/** Bit-reversed order. */
const ORDER = Uint8Array.from({ length: PATCH }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < PATCH; bit *= 2) reversed = 2 * reversed + (i & bit ? 1 : 0);
  return reversed;
});

/** |FFT|² of a patch, or of two as real and imaginary part, over the number of pixels. */
function power(patch: Float32Array, second?: Float32Array): Float64Array {
  const { real, imaginary, transform, transpose } = fourierPlanes();
  writeWindowed(patch, real);
  if (second) writeWindowed(second, imaginary);
  else imaginary.fill(0);
  transform();
  transpose();
  transform();
  const powers = new Float64Array(PATCH * PATCH);
  for (let at = 0; at < powers.length; at++) {
    powers[at] = (real[at]! * real[at]! + imaginary[at]! * imaginary[at]!) / (PATCH * PATCH);
  }
  return powers;
}

/** Transposed, rows and columns in bit-reversed order, as the transform takes it. */
function writeWindowed(luminance: Float32Array, out: Float64Array): void {
  // Loops: `reduce` would allocate each sum.
  let sum = 0;
  for (let at = 0; at < luminance.length; at++) sum += luminance[at]!;
  const mean = sum / luminance.length;
  for (let column = 0; column < PATCH; column++) {
    const to = ORDER[column]! * PATCH;
    const weight = WINDOW[column]!;
    for (let row = 0; row < PATCH; row++) {
      out[to + ORDER[row]!] = (luminance[row * PATCH + column]! - mean) * WINDOW[row]! * weight;
    }
  }
}
