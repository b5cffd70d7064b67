import { readFileSync } from 'node:fs';
import type { Affine } from './geometry.ts';

/** Linear map of values 0…255 to those that a network takes, for red, green and blue: value × factor + summand. */
export interface Scaling {
  readonly factors: readonly number[];
  readonly summands: readonly number[];
}

/** Pixels that a crop is cut out of: RGB, row-major; they are not changed while crops are cut. */
interface Pixels {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A crop in three planes, row-major. */
interface Target {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Exports of crop.wat. */
interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  crop(...values: number[]): void;
  halve(...values: number[]): void;
}

// The part of WebAssembly used here: Node 20's types do not declare it.
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Bytes of a page of memory; of the two vectors before the pixels; behind the pixels, as the kernel reads four at once. */
const PAGE = 65_536;
const FACTORS = 32;
const BEHIND = 16;

let kernel: Kernel | null | undefined;

/** @returns null where WASM SIMD is missing */
function openKernel(): Kernel | null {
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
  const bytes = readFileSync(new URL('../../wasm/crop.wasm', import.meta.url));
  if (!wasm.validate(bytes)) return null;
  return new wasm.Instance(new wasm.Module(bytes)).exports as Kernel;
}

/**
 * Cuts a crop out of pixels and scales it, bilinearly, to within a hundredth of a level of 0…255.
 * @param m maps crop pixels to pixels; pixel i covers i…i+1
 * @param edge whether the edge of the picture is repeated beyond it, which else is black
 * @returns false, and does nothing, where the processor has no SIMD
 */
export function cutScaled(
  from: Pixels,
  m: Affine,
  to: Target,
  edge: boolean,
  { factors, summands }: Scaling,
): boolean {
  kernel = kernel === undefined ? openKernel() : kernel;
  if (kernel === null) return false;
  const stride = 3 * from.width;
  const { first, count } = rowsOf(from, m, to);
  const { memory } = kernel;
  const { at, out } = place(kernel, from, { first, count }, to.data.byteLength);
  new Float32Array(memory.buffer, 0, FACTORS / 4).set([...factors, 0, ...summands, 0]);
  kernel.crop(
    ...[at, stride, from.width - 1, count - 1],
    ...[(m.a + m.b) / 2 + m.tx - 0.5, (m.c + m.d) / 2 + m.ty - 0.5 - first],
    ...[m.a, m.c, m.b, m.d, 0, edge ? 1 : 0, to.width, to.height, out],
  );
  to.data.set(new Float32Array(memory.buffer, out, to.data.length));
  return true;
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
  const { at, out } = place(kernel, from, { first: 0, count: height }, length + BEHIND);
  kernel.halve(at, 3 * width, width >> 1, height >> 1, out);
  return new Uint8Array(kernel.memory.buffer, out, length).slice();
}

/** Some rows of a picture. */
interface Rows {
  readonly first: number;
  readonly count: number;
}

/** Pictures are copied whole up to this many bytes: several crops are cut out of one. */
const WHOLE = 1 << 20;

/** The rows in the memory; they are not what keeps a picture alive. */
let placed: (Rows & { readonly pixels: WeakRef<Uint8Array> }) | undefined;

/**
 * Copies rows of a picture into the memory, if they are not there.
 * @returns address of the first row, and one behind all of them with room for so many bytes
 */
function place({ memory }: Kernel, { pixels, width, height }: Pixels, rows: Rows, bytes: number) {
  const stride = 3 * width;
  const own = placed?.pixels.deref() === pixels ? placed : undefined;
  const isThere = own && rows.first >= own.first && rows.first + rows.count <= own.first + own.count;
  const { first, count } = isThere ? own : pixels.length <= WHOLE ? { first: 0, count: height } : rows;
  const out = FACTORS + align(count * stride + BEHIND);
  const missing = out + bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  if (!isThere) {
    new Uint8Array(memory.buffer).set(pixels.subarray(first * stride, (first + count) * stride), FACTORS);
    placed = { first, count, pixels: new WeakRef(pixels) };
  }
  return { at: FACTORS + (rows.first - first) * stride, out };
}

/** The rows that a crop reads; the last one is the picture's own last row, or lies below all that is read. */
function rowsOf({ height }: Pixels, { c, d, ty }: Affine, to: Target): Rows {
  const corners = [0, c * to.width, d * to.height, c * to.width + d * to.height];
  const inside = (row: number) => Math.max(0, Math.min(height - 1, row));
  const first = inside(Math.floor(Math.min(...corners) + ty) - 2);
  const last = inside(Math.ceil(Math.max(...corners) + ty) + 2);
  return { first, count: last - first + 1 };
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
