import { readFileSync } from 'node:fs';

// The part of WebAssembly used here: Node 20's types do not declare it.

/** Memory of WASM, shared between threads. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  /** @param pages 64 KiB each @returns number of pages before @throws RangeError when there is no more */
  grow(pages: number): number;
}

interface WasmModule {
  readonly wasmModule?: never;
}

interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { host: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

export const wasm: WebAssemblyApi = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Scans rows for candidates (scan.wat). Addresses are bytes in one memory. */
export interface Kernel {
  /**
   * Records every row that may belong to the best k as a candidate (see search.ts).
   * @param codes first row, a multiple of four rows from the start of its page
   * @param rows number of rows; the last four are read whole
   * @param first number of the first row
   * @returns number of rows scanned: fewer than `rows` when the candidates are full
   */
  scan(codes: number, rows: number, first: number, stride: number, query: number, state: number): number;
  /** Removes the candidates below the threshold. */
  prune(state: number): void;
}

let compiled: WasmModule | undefined;

/** @throws CompileError on a processor without SIMD, where neither the decoder of pictures nor the inference library runs */
export function openKernel(memory: WasmMemory): Kernel {
  compiled ??= new wasm.Module(readFileSync(new URL('../../../wasm/scan.wasm', import.meta.url)));
  return new wasm.Instance(compiled, { host: { memory } }).exports as unknown as Kernel;
}
