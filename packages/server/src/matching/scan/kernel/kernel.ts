// The part of WebAssembly used here: Node 20's types do not declare it.

/** Memory of WASM, shared between threads. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  /** @param pages 64 KiB each @throws RangeError when there is no more */
  grow(pages: number): number;
}

export interface WasmModule {
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
