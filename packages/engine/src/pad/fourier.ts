import { openWasm, type WasmMemory } from '../imaging/open-wasm.ts';

/** Side of the patch that is transformed, pixels; a power of two. fourier.wat has the same. */
export const PATCH = 128;

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

/** Fourier transforms of a square of complex numbers. */
interface FourierPlanes {
  /**
   * |FFT|² of a patch of PATCH × PATCH values less its mean under a Hann window, or of two as real and imaginary part, over
   * the number of values. The next call overwrites the result.
   */
  power(patch: Float32Array, second?: Float32Array): Float32Array;
  /** Natural logarithm of each of PATCH × PATCH values after `least` is added. The next call overwrites the result. */
  logarithms(values: Float32Array, least: number): Float32Array;
}

let planes: FourierPlanes | undefined;

/** The planes of this thread: each use overwrites them. */
export function fourierPlanes(): FourierPlanes {
  planes ??= wasmPlanes() ?? plainPlanes();
  return planes;
}

/** Cosine and sine of 2π k ÷ PATCH. */
const TURNS = Float32Array.from({ length: PATCH }, (_, i) => {
  const angle = (2 * Math.PI * (i >> 1)) / PATCH;
  return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** Hann window. */
const WINDOW = Float32Array.from(
  { length: PATCH },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / PATCH),
);

/** Bit-reversed order. */
const ORDER = Uint8Array.from({ length: PATCH }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < PATCH; bit *= 2) reversed = 2 * reversed + (i & bit ? 1 : 0);
  return reversed;
});

/** Exports of fourier.wat. */
interface Kernel {
  readonly memory: WasmMemory;
  window(patch: number, out: number, order: number, window: number): void;
  transform(real: number, imaginary: number, turns: number): void;
  transpose(square: number): void;
  power(real: number, imaginary: number): void;
  logarithms(values: number, least: number): void;
}

function wasmPlanes(): FourierPlanes | null {
  const kernel = openWasm<Kernel>('fourier');
  if (kernel === null) return null;
  const { buffer } = kernel.memory;
  const square = PATCH * PATCH;
  // The tables, both squares, a patch: each begins at a multiple of its values.
  const [turns, window, order, real] = [0, 1024, 2048, 4096];
  const imaginary = real + 4 * square;
  const patchAt = imaginary + 4 * square;
  new Float32Array(buffer, turns, PATCH).set(TURNS);
  new Float32Array(buffer, window, PATCH).set(WINDOW);
  new Uint8Array(buffer, order, PATCH).set(ORDER);
  const [powers, second] = [real, imaginary].map((at) => new Float32Array(buffer, at, square));
  const patch = new Float32Array(buffer, patchAt, square);
  const write = (values: Float32Array, to: number) => {
    patch.set(values);
    kernel.window(patchAt, to, order, window);
  };
  return {
    power(first, other) {
      write(first, real);
      if (other) write(other, imaginary);
      else second!.fill(0);
      kernel.transform(real, imaginary, turns);
      kernel.transpose(real);
      kernel.transpose(imaginary);
      kernel.transform(real, imaginary, turns);
      kernel.power(real, imaginary);
      return powers!;
    },
    logarithms(values, least) {
      powers!.set(values);
      kernel.logarithms(real, least);
      return powers!;
    },
  };
}

/** Without WASM SIMD: nearly the same values, in several times the time. */
export function plainPlanes(): FourierPlanes {
  const [real, imaginary] = [new Float32Array(PATCH * PATCH), new Float32Array(PATCH * PATCH)];
  return {
    power(patch, second) {
      writeWindowed(patch, real);
      if (second) writeWindowed(second, imaginary);
      else imaginary.fill(0);
      transform(real, imaginary);
      transposed(real);
      transposed(imaginary);
      transform(real, imaginary);
      for (let at = 0; at < real.length; at++)
        real[at] = (real[at]! * real[at]! + imaginary[at]! * imaginary[at]!) / (PATCH * PATCH);
      return real;
    },
    logarithms(values, least) {
      for (let at = 0; at < real.length; at++) real[at] = Math.log(values[at]! + least);
      return real;
    },
  };
}

/** Transposed, rows and columns in bit-reversed order, as the transform takes it. */
function writeWindowed(patch: Float32Array, out: Float32Array): void {
  const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length;
  for (let column = 0; column < PATCH; column++) {
    const to = ORDER[column]! * PATCH;
    for (let row = 0; row < PATCH; row++) {
      const value = (patch[row * PATCH + column]! - mean) * WINDOW[row]!;
      out[to + ORDER[row]!] = value * WINDOW[column]!;
    }
  }
}

/** Radix-2 transform of all columns, whose values are in bit-reversed order. */
function transform(real: Float32Array, imaginary: Float32Array): void {
  for (let half = 1; half < PATCH; half *= 2) {
    const turn = PATCH / (2 * half);
    for (let block = 0; block < PATCH; block += 2 * half) {
      for (let k = 0; k < half; k++) combineRows(real, imaginary, block + k, block + k + half, k * turn);
    }
  }
}

/** One step of the transform for all columns at once: neighbouring values share their factors. */
function combineRows(
  real: Float32Array,
  imaginary: Float32Array,
  upper: number,
  lower: number,
  turn: number,
) {
  const [c, s] = [TURNS[2 * turn]!, TURNS[2 * turn + 1]!];
  for (let a = upper * PATCH, b = lower * PATCH, end = a + PATCH; a < end; a++, b++) {
    const re = real[b]! * c + imaginary[b]! * s;
    const im = imaginary[b]! * c - real[b]! * s;
    real[b] = real[a]! - re;
    imaginary[b] = imaginary[a]! - im;
    real[a]! += re;
    imaginary[a]! += im;
  }
}

function transposed(square: Float32Array): void {
  for (let row = 0; row < PATCH; row++) {
    for (let a = row * PATCH + row + 1, b = a + PATCH - 1; a < (row + 1) * PATCH; a++, b += PATCH) {
      const value = square[a]!;
      square[a] = square[b]!;
      square[b] = value;
    }
  }
}
