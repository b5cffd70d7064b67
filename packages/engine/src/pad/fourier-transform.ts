import { openWasm, type WasmMemory } from '../imaging/open-wasm.ts';

/** Side of the transformed square; a power of two. fourier.wat has the same. */
export const SIDE = 128;

/** Fourier transforms of a square of complex numbers. */
export interface FourierPlanes {
  /**
   * |FFT|² of a patch of SIDE × SIDE values less its mean under a Hann window, or of two as real and imaginary part, over
   * the number of values. The next call overwrites the result.
   */
  power(patch: Float32Array, second?: Float32Array): Float32Array;
  /** Natural logarithm of each of SIDE × SIDE values after `least` is added. The next call overwrites the result. */
  logarithms(values: Float32Array, least: number): Float32Array;
}

let planes: FourierPlanes | undefined;

/** The planes of this thread: each use overwrites them. */
export function fourierPlanes(): FourierPlanes {
  planes ??= wasmPlanes() ?? plainPlanes();
  return planes;
}

/** Cosine and sine of 2π k ÷ SIDE. */
const TURNS = Float32Array.from({ length: SIDE }, (_, i) => {
  const angle = (2 * Math.PI * (i >> 1)) / SIDE;
  return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** Hann window. */
const WINDOW = Float32Array.from({ length: SIDE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIDE));

/** Bit-reversed order. */
const ORDER = Uint8Array.from({ length: SIDE }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < SIDE; bit *= 2) reversed = 2 * reversed + (i & bit ? 1 : 0);
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
  const square = SIDE * SIDE;
  // The tables, both squares, a patch: each begins at a multiple of its values.
  const [turns, window, order, real] = [0, 1024, 2048, 4096];
  const imaginary = real + 4 * square;
  const patchAt = imaginary + 4 * square;
  new Float32Array(buffer, turns, SIDE).set(TURNS);
  new Float32Array(buffer, window, SIDE).set(WINDOW);
  new Uint8Array(buffer, order, SIDE).set(ORDER);
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
  const [real, imaginary] = [new Float32Array(SIDE * SIDE), new Float32Array(SIDE * SIDE)];
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
        real[at] = (real[at]! * real[at]! + imaginary[at]! * imaginary[at]!) / (SIDE * SIDE);
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
  for (let column = 0; column < SIDE; column++) {
    const to = ORDER[column]! * SIDE;
    for (let row = 0; row < SIDE; row++) {
      const value = (patch[row * SIDE + column]! - mean) * WINDOW[row]!;
      out[to + ORDER[row]!] = value * WINDOW[column]!;
    }
  }
}

/** Radix-2 transform of all columns, whose values are in bit-reversed order. */
function transform(real: Float32Array, imaginary: Float32Array): void {
  for (let half = 1; half < SIDE; half *= 2) {
    const turn = SIDE / (2 * half);
    for (let block = 0; block < SIDE; block += 2 * half) {
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
  for (let a = upper * SIDE, b = lower * SIDE, end = a + SIDE; a < end; a++, b++) {
    const re = real[b]! * c + imaginary[b]! * s;
    const im = imaginary[b]! * c - real[b]! * s;
    real[b] = real[a]! - re;
    imaginary[b] = imaginary[a]! - im;
    real[a]! += re;
    imaginary[a]! += im;
  }
}

function transposed(square: Float32Array): void {
  for (let row = 0; row < SIDE; row++) {
    for (let a = row * SIDE + row + 1, b = a + SIDE - 1; a < (row + 1) * SIDE; a++, b += SIDE) {
      const value = square[a]!;
      square[a] = square[b]!;
      square[b] = value;
    }
  }
}
