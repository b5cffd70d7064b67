import { readFileSync } from 'node:fs';
import { chunk, codesOf, interleavedRows, state } from './layout.ts';

// The part of WebAssembly used here: Node 20's types do not declare it.

/** Memory of WASM, shared between threads. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  /** @param pages 64 KiB each @throws RangeError when there is no more */
  grow(pages: number): number;
}

interface WasmModule {
  readonly wasmModule?: never;
}

interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { host: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

export const wasm: WebAssemblyApi = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Bytes of a page. */
export const pageBytes = 65_536;

/** Scans rows for candidates. Both implementations give equal results. Addresses are bytes in one memory. */
export interface Kernel {
  readonly name: 'simd' | 'plain';
  /**
   * Records every row that may belong to the best k as a candidate (see scan.wat and search.ts).
   * @param codes first row, a multiple of four rows from the start of its block
   * @param rows number of rows; the last four are read whole
   * @param first number of the first row
   * @returns number of rows scanned: fewer than `rows` when the candidates are full
   */
  scan(
    codes: number,
    scales: number,
    residuals: number,
    rows: number,
    first: number,
    stride: number,
    query: number,
    state: number,
  ): number;
  /** Removes the candidates below the threshold. */
  prune(state: number): void;
}

/** Kernel in TypeScript, for processors without SIMD. */
export function plainKernel(memory: WasmMemory): Kernel {
  return {
    name: 'plain',
    scan: (codes, scales, residuals, rows, first, stride, query, at) => {
      const numbers = new Float32Array(memory.buffer);
      const counts = new Int32Array(memory.buffer, at, state.candidates);
      const words = new Int16Array(memory.buffer);
      const floats = new Float32Array(memory.buffer, at, state.candidates);
      const scale = floats[state.scale]!;
      for (let row = 0; row < rows; row++) {
        const sum = sumOf(words, (codes + codesOf(row, stride)) / 2, stride, query / 2);
        const error = numbers[residuals / 4 + row]! * floats[state.a]! + floats[state.b]!;
        const approx = sum * numbers[scales / 4 + row]! * scale;
        if (!(approx + error >= floats[state.threshold]!)) continue;
        addCandidate(memory, at, first + row, approx + error, approx - error);
        if (counts[state.candidateCount]! < counts[state.maxCandidates]!) continue;
        prune(memory, at);
        // Calls begin at a multiple of four rows.
        if (
          counts[state.candidateCount]! >= counts[state.pruneThreshold]! &&
          row % interleavedRows === interleavedRows - 1
        ) {
          return row + 1;
        }
      }
      return rows;
    },
    prune: (at) => prune(memory, at),
  };
}

/** Addresses in units of two bytes. */
function sumOf(words: Int16Array, codes: number, stride: number, query: number): number {
  let sum = 0;
  const half = chunk / 2;
  for (let done = 0; done < stride; done += chunk) {
    for (let i = 0; i < half; i++) {
      const word = words[codes + i]!;
      sum += word * words[query + i]! + ((word << 24) >> 16) * words[query + half + i]!;
    }
    codes += half * interleavedRows;
    query += chunk;
  }
  return sum;
}

function addCandidate(memory: WasmMemory, at: number, row: number, upper: number, lower: number): void {
  const counts = new Int32Array(memory.buffer, at, state.candidates);
  const floats = new Float32Array(memory.buffer, at, state.candidates);
  const lowerBounds = floats.subarray(state.lowerBounds, state.lowerBounds + counts[state.k]!);
  const last = lowerBounds.length - 1;
  if (lower > lowerBounds[last]!) {
    let place = last;
    while (place > 0 && lowerBounds[place - 1]! < lower) {
      lowerBounds[place] = lowerBounds[place - 1]!;
      place--;
    }
    lowerBounds[place] = lower;
    floats[state.threshold] = Math.max(floats[state.threshold]!, lowerBounds[last]!);
  }
  const count = counts[state.candidateCount]!;
  new Int32Array(memory.buffer, at)[state.candidates + 2 * count] = row;
  new Float32Array(memory.buffer, at)[state.candidates + 2 * count + 1] = upper;
  counts[state.candidateCount] = count + 1;
}

function prune(memory: WasmMemory, at: number): void {
  const rows = new Int32Array(memory.buffer, at);
  const upperBounds = new Float32Array(memory.buffer, at);
  let kept: number = state.candidates;
  const end = state.candidates + 2 * rows[state.candidateCount]!;
  for (let from: number = state.candidates; from < end; from += 2) {
    if (upperBounds[from + 1]! < upperBounds[state.threshold]!) continue;
    rows[kept] = rows[from]!;
    upperBounds[kept + 1] = upperBounds[from + 1]!;
    kept += 2;
  }
  rows[state.candidateCount] = (kept - state.candidates) / 2;
}

let compiled: WasmModule | null | undefined;

/** @returns null where WASM SIMD is missing */
export function simdKernel(memory: WasmMemory): Kernel | null {
  compiled ??= compile();
  if (compiled === null) return null;
  const { exports } = new wasm.Instance(compiled, { host: { memory } });
  const { scan, prune } = exports as unknown as Pick<Kernel, 'scan' | 'prune'>;
  return { name: 'simd', scan, prune };
}

function compile(): WasmModule | null {
  const bytes = readFileSync(new URL('../../../wasm/scan.wasm', import.meta.url));
  return wasm.validate(bytes) ? new wasm.Module(bytes) : null;
}

/** The fastest kernel that this processor and Node can run. */
export function openKernel(memory: WasmMemory): Kernel {
  return simdKernel(memory) ?? plainKernel(memory);
}
