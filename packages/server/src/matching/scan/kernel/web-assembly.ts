// The part of WebAssembly that is used here: the types of Node 20 leave it to those of browsers.

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

export type { WasmModule };

export const wasm: WebAssemblyApi = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Bytes of a page. */
export const pageBytes = 65_536;
