import { openWasm, type WasmMemory } from '../imaging/open-wasm.ts';

/** Side of the transformed square; a power of two. fourier.wat has the same. */
export const SIDE = 128;

/** A square of complex numbers and the steps of its two-dimensional Fourier transform, in place. */
export interface FourierPlanes {
  /** SIDE × SIDE values, row by row. */
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  /** Radix-2 transform of all columns, whose values are in bit-reversed order. */
  transform(): void;
  transpose(): void;
}

let planes: FourierPlanes | undefined;

/** The planes of this thread: each use overwrites them. */
export function fourierPlanes(): FourierPlanes {
  planes ??= wasmPlanes() ?? plainPlanes();
  return planes;
}

/** Cosine and sine of 2π k ÷ SIDE. */
const TURNS = Float64Array.from({ length: SIDE }, (_, i) => {
  const angle = (2 * Math.PI * (i >> 1)) / SIDE;
  return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** Exports of fourier.wat. */
interface Kernel {
  readonly memory: WasmMemory;
  transform(real: number, imaginary: number, turns: number): void;
  transpose(square: number): void;
}

function wasmPlanes(): FourierPlanes | null {
  const kernel = openWasm<Kernel>('fourier');
  if (kernel === null) return null;
  const { buffer } = kernel.memory;
  new Float64Array(buffer, 0, TURNS.length).set(TURNS);
  const [first, second] = [TURNS.byteLength, TURNS.byteLength + 8 * SIDE * SIDE];
  return {
    real: new Float64Array(buffer, first, SIDE * SIDE),
    imaginary: new Float64Array(buffer, second, SIDE * SIDE),
    transform: () => kernel.transform(first, second, 0),
    transpose() {
      kernel.transpose(first);
      kernel.transpose(second);
    },
  };
}

/** Without WASM SIMD: the same values, in several times the time. */
export function plainPlanes(): FourierPlanes {
  const [real, imaginary] = [new Float64Array(SIDE * SIDE), new Float64Array(SIDE * SIDE)];
  return {
    real,
    imaginary,
    transform() {
      for (let half = 1; half < SIDE; half *= 2) {
        const turn = SIDE / (2 * half);
        for (let block = 0; block < SIDE; block += 2 * half) {
          for (let k = 0; k < half; k++) combineRows(real, imaginary, block + k, block + k + half, k * turn);
        }
      }
    },
    transpose() {
      transposed(real);
      transposed(imaginary);
    },
  };
}

/** One step of the transform for all columns at once: neighbouring values share their factors. */
function combineRows(
  real: Float64Array,
  imaginary: Float64Array,
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

function transposed(square: Float64Array): void {
  for (let row = 0; row < SIDE; row++) {
    for (let a = row * SIDE + row + 1, b = a + SIDE - 1; a < (row + 1) * SIDE; a++, b += SIDE) {
      const value = square[a]!;
      square[a] = square[b]!;
      square[b] = value;
    }
  }
}
