import { readFileSync } from 'node:fs';
import type { Affine } from './geometry.ts';

/** Linear map of values 0…255 to those that a network takes, for red, green and blue: value × factor + summand. */
export interface Scaling {
  readonly factors: readonly number[];
  readonly summands: readonly number[];
  /** Whether a crop has one plane, the sum of the three. */
  readonly sum?: true;
}

/** Pixels that a crop is cut out of: RGB, row-major; they are not changed while crops are cut. */
export interface Pixels {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A crop in three planes, or one that is their sum, row-major. */
export interface Target {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

// The part of WebAssembly used here: Node 20's types do not declare it.
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Memory of the module. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Exports of crop.wat. */
interface Kernel {
  readonly memory: WasmMemory;
  crop(...values: number[]): void;
  halve(...values: number[]): void;
}

/** Bytes of a page of memory; of the two vectors before the pixels; behind the pixels, as the kernel reads four at once. */
const PAGE = 65_536;
const FACTORS = 32;
const BEHIND = 16;

let kernel: Kernel | null | undefined;

/**
 * Cuts a crop out of pixels and scales it, bilinearly, to within a hundredth of a level of 0…255.
 * @param m maps crop pixels to pixels; pixel i covers i…i+1
 * @param edge whether the edge of the picture is repeated beyond it, which else is black
 * @returns false, and does nothing, where the processor has no SIMD
 */
export function cutScaled(from: Pixels, m: Affine, to: Target, edge: boolean, scaling: Scaling): boolean {
  kernel = kernel === undefined ? openKernel() : kernel;
  if (kernel === null) return false;
  const { memory } = kernel;
  const at = addressOf(kernel, from.pixels);
  const out = arena.end;
  reserve(kernel, out + to.data.byteLength);
  setScaling(kernel, scaling);
  const x = (m.a + m.b) / 2 + m.tx - 0.5;
  const y = (m.c + m.d) / 2 + m.ty - 0.5;
  const [lastX, lastY, sum] = [from.width - 1, from.height - 1, scaling.sum ? 1 : 0];
  // biome-ignore format: as in crop.wat
  kernel.crop(at, 3 * from.width, lastX, lastY, x, y, m.a, m.c, m.b, m.d, 0, edge ? 1 : 0, sum, to.width, to.height, out);
  to.data.set(new Float32Array(memory.buffer, out, to.data.length));
  return true;
}

let scalingInMemory: Scaling | undefined;

function setScaling({ memory }: Kernel, scaling: Scaling): void {
  if (scaling === scalingInMemory) return;
  const { factors, summands } = scaling;
  new Float32Array(memory.buffer, 0, FACTORS / 4).set([...factors, 0, ...summands, 0]);
  scalingInMemory = scaling;
}

/**
 * Rounded means of 2 × 2 pixels of a picture that has at least as many; an odd last row or column is dropped.
 * @returns null, where the processor has no SIMD
 */
export function halvedPixels(from: Pixels): Uint8Array | null {
  const { width, height } = from;
  kernel = kernel === undefined ? openKernel() : kernel;
  if (kernel === null) return null;
  const length = 3 * (width >> 1) * (height >> 1);
  const at = addressOf(kernel, from.pixels);
  const out = arena.end;
  reserve(kernel, out + length + BEHIND);
  kernel.halve(at, 3 * width, width >> 1, height >> 1, out);
  const halved = new Uint8Array(kernel.memory.buffer, out, length).slice();
  if (out + length <= MOST) hold(halved, out);
  return halved;
}

/** Pictures are held in the memory, as several crops are cut out of each, up to so many bytes, or a larger one alone. */
const MOST = 8 << 20;

/** Pictures in the memory, one behind the other; what is cut out lies behind them. They are not kept alive by it. */
const arena = { held: [] as { readonly pixels: WeakRef<Uint8Array>; readonly at: number }[], end: FACTORS };

/** Copies a picture into the memory, if it is not there. @returns its address */
function addressOf(kernel: Kernel, pixels: Uint8Array): number {
  const known = arena.held.find((one) => one.pixels.deref() === pixels);
  if (known) return known.at;
  if (arena.end + pixels.length > MOST) {
    arena.held.length = 0;
    arena.end = FACTORS;
  }
  const at = arena.end;
  reserve(kernel, at + pixels.length + BEHIND);
  new Uint8Array(kernel.memory.buffer).set(pixels, at);
  hold(pixels, at);
  return at;
}

function hold(pixels: Uint8Array, at: number): void {
  arena.held.push({ pixels: new WeakRef(pixels), at });
  arena.end = align(at + pixels.length + BEHIND);
}

function reserve({ memory }: Kernel, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

/** @returns null where the processor has no SIMD */
function openKernel(): Kernel | null {
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
  const bytes = readFileSync(new URL('../../wasm/crop.wasm', import.meta.url));
  if (!wasm.validate(bytes)) return null;
  return new wasm.Instance(new wasm.Module(bytes)).exports as Kernel;
}
