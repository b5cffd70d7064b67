import type { Arenas } from './arenas.ts';
import type { ScoredRow } from './best-rows.ts';
import { type Kernel, openKernel } from './kernel/kernel.ts';
import type { WasmMemory } from './kernel/web-assembly.ts';
import { scratchOf, strideOf } from './layout.ts';
import { ScanPool } from './scan-pool.ts';
import { type ScanMemory, type ScanTarget, searchRows } from './search.ts';

/** Searches small matrices at once and large ones in worker threads. */
export interface Scanner {
  /** Never longer than a few milliseconds on the calling thread. */
  search(target: ScanTarget, probe: Float32Array, k: number): ScoredRow[] | Promise<ScoredRow[]>;
  /** Ends the threads; what is being searched there fails. */
  close(): Promise<void>;
}

export interface ScannerOptions {
  /** Bytes of codes from which on a worker scans: 2 MiB take 0.1 ms, and 2 ms without SIMD. */
  readonly workersFrom?: number;
  readonly workers?: number;
  /** How the calling thread scans. Default: the fastest way there is. */
  readonly open?: (memory: WasmMemory) => Kernel;
}

const twoMebibytes = 2 ** 21;

export function createScanner(arenas: Arenas, options: ScannerOptions = {}): Scanner {
  const own: ScanMemory[] = [];
  const pool = new ScanPool(arenas, options.workers);
  const { workersFrom = twoMebibytes, open = openKernel } = options;
  return {
    search: (target, probe, k) => {
      if (target.rows * strideOf(target.dimensions) >= workersFrom) return pool.search(target, probe, k);
      for (const memory of arenas.memories.slice(own.length)) {
        own.push({ memory, kernel: open(memory), scratch: scratchOf(0) });
      }
      return searchRows(own, target, probe, k);
    },
    close: () => pool.close(),
  };
}
