import { parentPort, workerData } from 'node:worker_threads';
import type { ScoredRow } from './best-rows.ts';
import type { WasmMemory } from './kernel/kernel.ts';
import { openKernel } from './kernel/simd-kernel.ts';
import { scratchOf } from './layout.ts';
import { type ScanMemory, type ScanTarget, searchRows } from './search.ts';

/** A search for a worker. */
export interface ScanTask {
  /** Memories that are new to this worker. */
  readonly memories: readonly WasmMemory[];
  readonly target: ScanTarget;
  readonly probe: Float32Array;
  readonly k: number;
}

export type ScanAnswer = { readonly found: ScoredRow[] } | { readonly error: unknown };

const { thread } = workerData as { thread: number };
const memories: ScanMemory[] = [];

parentPort?.on('message', ({ memories: added, target, probe, k }: ScanTask) => {
  parentPort?.postMessage(answer(added, target, probe, k));
});

function answer(
  added: readonly WasmMemory[],
  target: ScanTarget,
  probe: Float32Array,
  k: number,
): ScanAnswer {
  try {
    for (const memory of added) {
      memories.push({ memory, kernel: openKernel(memory), scratch: scratchOf(thread) });
    }
    return { found: searchRows(memories, target, probe, k) };
  } catch (error) {
    return { error };
  }
}
