import { readFileSync } from 'node:fs';

// The part of WebAssembly used here: Node 20's types do not declare it.
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Memory of a module. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Exports of a module of the engine's folder `wasm`. @returns null where the processor has no SIMD */
export function openWasm<Exports>(name: string): Exports | null {
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
  const bytes = readFileSync(new URL(`../../wasm/${name}.wasm`, import.meta.url));
  if (!wasm.validate(bytes)) return null;
  return new wasm.Instance(new wasm.Module(bytes)).exports as Exports;
}
