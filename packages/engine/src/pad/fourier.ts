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

/** Bit-reversed order. */
const ORDER = Uint8Array.from({ length: PATCH }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < PATCH; bit *= 2) reversed = 2 * reversed + (i & bit ? 1 : 0);
  return reversed;
});

/** Transposed, rows and columns in bit-reversed order, as `power` takes it. */
function windowed(luminance: Float32Array): Float64Array {
  // Loops: `reduce` would allocate each sum.
  let sum = 0;
  for (let at = 0; at < luminance.length; at++) sum += luminance[at]!;
  const mean = sum / luminance.length;
  const out = new Float64Array(PATCH * PATCH);
  for (let row = 0; row < PATCH; row++) {
    for (let column = 0; column < PATCH; column++) {
      const value = luminance[row * PATCH + column]! - mean;
      out[ORDER[column]! * PATCH + ORDER[row]!] = value * WINDOW[row]! * WINDOW[column]!;
    }
  }
  return out;
}

/** Overwrites its arguments. */
function power(real: Float64Array, imaginary: Float64Array): Float64Array {
  transformColumns(real, imaginary);
  transpose(real);
  transpose(imaginary);
  transformColumns(real, imaginary);
  for (let at = 0; at < real.length; at++) {
    real[at] = (real[at]! * real[at]! + imaginary[at]! * imaginary[at]!) / (PATCH * PATCH);
  }
  return real;
}

/** Radix-2 Fourier transform in place of all columns, whose values are in bit-reversed order. */
function transformColumns(real: Float64Array, imaginary: Float64Array): void {
  for (let half = 1; half < PATCH; half *= 2) {
    const turn = PATCH / (2 * half);
    for (let block = 0; block < PATCH; block += 2 * half) {
      for (let k = 0; k < half; k++) {
        combineRows(real, imaginary, block + k, block + k + half, k * turn);
      }
    }
  }
}

/** One step of the transform for all columns at once: neighbouring values share their factors. */
function combineRows(
  real: Float64Array,
  imaginary: Float64Array,
  upper: number,
  lower: number,
  turn: number,
) {
  const [c, s] = [COSINE[turn]!, SINE[turn]!];
  for (let a = upper * PATCH, b = lower * PATCH, end = a + PATCH; a < end; a++, b++) {
    const re = real[b]! * c + imaginary[b]! * s;
    const im = imaginary[b]! * c - real[b]! * s;
    real[b] = real[a]! - re;
    imaginary[b] = imaginary[a]! - im;
    real[a]! += re;
    imaginary[a]! += im;
  }
}

function transpose(square: Float64Array): void {
  for (let row = 0; row < PATCH; row++) {
    for (let a = row * PATCH + row + 1, b = a + PATCH - 1; a < (row + 1) * PATCH; a++, b += PATCH) {
      const value = square[a]!;
      square[a] = square[b]!;
      square[b] = value;
    }
  }
}
