import type { Arenas } from './arenas.ts';
import type { ScoredRow } from './best-rows.ts';
import type { Kernel, WasmMemory } from './kernel/kernel.ts';
import { openKernel } from './kernel/simd-kernel.ts';
import { scratchOf, strideOf } from './layout.ts';
import { type PairAnswer, type PairQuestion, searchPairs } from './pairs.ts';
import { ScanPool } from './scan-pool.ts';
import { type ScanMemory, type ScanTarget, searchRows } from './search.ts';

/** Scans small matrices on the calling thread and large ones in worker threads. */
export interface Scanner {
  /**
   * Takes at most a few milliseconds of the calling thread.
   * @param signal ends a search that waits for a thread, with its reason
   */
  search(
    target: ScanTarget,
    probe: Float32Array,
    k: number,
    signal?: AbortSignal,
  ): ScoredRow[] | Promise<ScoredRow[]>;
  /** The next pairs of rows. @param signal as that of `search` */
  pairs(target: ScanTarget, question: PairQuestion, signal?: AbortSignal): PairAnswer | Promise<PairAnswer>;
  /** Ends the threads; their searches fail. */
  close(): Promise<void>;
}

export interface ScannerOptions {
  /** Minimum bytes of codes for a worker: 2 MiB take 0.1 ms, 2 ms without SIMD. */
  readonly workersFrom?: number;
  readonly workers?: number;
  /** Minimum bytes of codes of each part of a search that idle workers share: 16 MiB take a millisecond. */
  readonly partBytes?: number;
  /** Opens the kernel of the calling thread. Default: the fastest one. */
  readonly open?: (memory: WasmMemory) => Kernel;
}

const twoMebibytes = 2 ** 21;

export function createScanner(arenas: Arenas, options: ScannerOptions = {}): Scanner {
  const own: ScanMemory[] = [];
  const pool = new ScanPool(arenas, options.workers, options.partBytes);
  const { workersFrom = twoMebibytes, open = openKernel } = options;
  const ownMemories = () => {
    for (const memory of arenas.memories.slice(own.length)) {
      own.push({ memory, kernel: open(memory), scratch: scratchOf(0) });
    }
    return own;
  };
  const codeBytes = ({ rows, dimensions }: ScanTarget) => rows * strideOf(dimensions);
  return {
    search: (target, probe, k, signal) =>
      codeBytes(target) < workersFrom
        ? searchRows(ownMemories(), target, probe, k)
        : pool.search(target, probe, k, signal),
    pairs: (target, question, signal) =>
      Math.min(question.work, target.rows * codeBytes(target)) < workersFrom
        ? searchPairs(ownMemories(), target, question)
        : pool.pairs(target, question, signal),
    close: () => pool.close(),
  };
}
