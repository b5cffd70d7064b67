import { readFileSync } from 'node:fs';
import { type WasmMemory, wasm } from '../scan/kernel/kernel.ts';

/** `search` of frames.wat; addresses are bytes in the memory. @returns number of rows found */
export type FrameKernel = (
  planes: number,
  rows: number,
  groups: number,
  sketch: number,
  probe: number,
  limit: number,
  out: number,
) => number;

/** @throws Error where WASM SIMD is missing; Node has had it on every processor that it supports since version 16 */
export function openFrameKernel(memory: WasmMemory): FrameKernel {
  const bytes = readFileSync(new URL('../../../wasm/frames.wasm', import.meta.url));
  const { exports } = new wasm.Instance(new wasm.Module(bytes), { host: { memory } });
  return exports['search'] as FrameKernel;
}
