import { readFileSync } from 'node:fs';
import { type Kernel, type WasmMemory, type WasmModule, wasm } from './kernel.ts';
import { plainKernel } from './plain-kernel.ts';

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
  const bytes = readFileSync(new URL('../../../../wasm/scan.wasm', import.meta.url));
  return wasm.validate(bytes) ? new wasm.Module(bytes) : null;
}

/** The fastest kernel that this processor and Node can run. */
export function openKernel(memory: WasmMemory): Kernel {
  return simdKernel(memory) ?? plainKernel(memory);
}
