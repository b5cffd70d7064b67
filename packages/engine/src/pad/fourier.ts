/** Side of the patch that is transformed, pixels; a power of two. */
export const PATCH = 128;

const WINDOW = Float64Array.from(
  { length: PATCH },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / PATCH),
);
const COSINE = Float64Array.from({ length: PATCH }, (_, i) => Math.cos((2 * Math.PI * i) / PATCH));
const SINE = Float64Array.from({ length: PATCH }, (_, i) => Math.sin((2 * Math.PI * i) / PATCH));

/** Power spectrum of a PATCH × PATCH patch less its mean under a Hann window: |FFT|² over the number of pixels. */
export function powerSpectrum(luminance: Float32Array): Float64Array {
  return power(windowed(luminance), new Float64Array(PATCH * PATCH));
}

/**
 * Sum of the power spectra of several patches. Two are transformed as real and imaginary part of one: their powers sum to
 * the mean of the power at a frequency and at its negative.
 */
export function summedPower(patches: readonly Float32Array[]): Float64Array {
  const sum = new Float64Array(PATCH * PATCH);
  for (let i = 0; i < patches.length; i += 2) {
    const second = patches[i + 1];
    const both = power(windowed(patches[i]!), second ? windowed(second) : new Float64Array(sum.length));
    for (let at = 0; at < sum.length; at++) sum[at]! += (both[at]! + both[NEGATIVE[at]!]!) / 2;
  }
  return sum;
}

/** Index of the negative of each frequency. */
const NEGATIVE = Uint16Array.from({ length: PATCH * PATCH }, (_, at) => {
  const row = (PATCH - Math.floor(at / PATCH)) % PATCH;
  return row * PATCH + ((PATCH - (at % PATCH)) % PATCH);
});

function windowed(luminance: Float32Array): Float64Array {
  // Loops: `reduce` would allocate each sum.
  let sum = 0;
  for (let at = 0; at < luminance.length; at++) sum += luminance[at]!;
  const mean = sum / luminance.length;
  const out = new Float64Array(PATCH * PATCH);
  for (let row = 0; row < PATCH; row++) {
    for (let column = 0; column < PATCH; column++) {
      const at = row * PATCH + column;
      out[at] = (luminance[at]! - mean) * WINDOW[row]! * WINDOW[column]!;
    }
  }
  return out;
}

/** Overwrites its arguments. */
function power(real: Float64Array, imaginary: Float64Array): Float64Array {
  for (let i = 0; i < PATCH; i++) transform(real, imaginary, i * PATCH, 1);
  for (let i = 0; i < PATCH; i++) transform(real, imaginary, i, PATCH);
  for (let at = 0; at < real.length; at++) {
    real[at] = (real[at]! * real[at]! + imaginary[at]! * imaginary[at]!) / (PATCH * PATCH);
  }
  return real;
}

/** Bit-reversed order. */
const ORDER = Uint8Array.from({ length: PATCH }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < PATCH; bit *= 2) reversed = 2 * reversed + (i & bit ? 1 : 0);
  return reversed;
});

/** Values of one line: next to each other they are transformed twice as fast. */
const lineReal = new Float64Array(PATCH);
const lineImaginary = new Float64Array(PATCH);

/** Radix-2 Fourier transform in place of PATCH values, `stride` apart from `start`. */
function transform(real: Float64Array, imaginary: Float64Array, start: number, stride: number): void {
  for (let i = 0; i < PATCH; i++) {
    const from = start + ORDER[i]! * stride;
    lineReal[i] = real[from]!;
    lineImaginary[i] = imaginary[from]!;
  }
  transformLine(lineReal, lineImaginary);
  for (let i = 0, to = start; i < PATCH; i++, to += stride) {
    real[to] = lineReal[i]!;
    imaginary[to] = lineImaginary[i]!;
  }
}

function transformLine(real: Float64Array, imaginary: Float64Array): void {
  for (let half = 1; half < PATCH; half *= 2) {
    const turn = PATCH / (2 * half);
    for (let block = 0; block < PATCH; block += 2 * half) {
      for (let k = 0; k < half; k++) {
        const a = block + k;
        const b = a + half;
        const c = COSINE[k * turn]!;
        const s = SINE[k * turn]!;
        const re = real[b]! * c + imaginary[b]! * s;
        const im = imaginary[b]! * c - real[b]! * s;
        real[b] = real[a]! - re;
        imaginary[b] = imaginary[a]! - im;
        real[a]! += re;
        imaginary[a]! += im;
      }
    }
  }
}
