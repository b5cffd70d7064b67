import openWabt from 'wabt';
import { type WasmMemory, wasm } from '../../../../packages/server/dist/matching/scan/kernel.js';
import { blockLayout, blockRows } from '../../../../packages/server/dist/matching/scan/layout.js';
import { blockFields, type ScanTarget } from '../../../../packages/server/dist/matching/scan/search.js';

/** Reads bytes, 128 per step, and only ORs them: a lower bound for any scan of them. */
const source = `
(module
  (import "host" "memory" (memory 1 65536 shared))
  (func (export "stream") (param $at i32) (param $end i32) (result i32)
    (local $a v128) (local $b v128)
    (loop $each
      ${[0, 32, 64, 96]
        .map(
          (offset) => `
      (local.set $a (v128.or (local.get $a) (v128.load offset=${offset} (local.get $at))))
      (local.set $b (v128.or (local.get $b) (v128.load offset=${offset + 16} (local.get $at))))`,
        )
        .join('')}
      (local.set $at (i32.add (local.get $at) (i32.const 128)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
    (i32x4.extract_lane 0 (v128.or (local.get $a) (local.get $b)))))`;

/** @returns a function that reads, in one thread, the bytes that a scan of the target reads: codes, scales, residuals */
export async function openStream(memories: readonly WasmMemory[], target: ScanTarget): Promise<() => number> {
  const wabt = await openWabt();
  const features = { simd: true, threads: true };
  const parsed = wabt.parseWat('stream.wat', source, features);
  const module = new wasm.Module(new Uint8Array(parsed.toBinary({}).buffer));
  const streams = memories.map(
    (memory) =>
      new wasm.Instance(module, { host: { memory } }).exports['stream'] as (
        at: number,
        end: number,
      ) => number,
  );
  const layout = blockLayout(target.capacity, target.dimensions);
  return () => {
    let nothing = 0;
    for (let block = 0; block * blockFields < target.blocks.length; block++) {
      const rows = Math.min(blockRows, target.rows - block * blockRows);
      const stream = streams[target.blocks[block * blockFields]!]!;
      const address = target.blocks[block * blockFields + 1]!;
      nothing |= stream(address, address + rows * layout.stride);
      nothing |= stream(address + layout.scales, address + layout.scales + rows * 4);
      nothing |= stream(address + layout.residuals, address + layout.residuals + rows * 4);
    }
    return nothing;
  };
}
