import { plainKernel } from './plain-kernel.ts';
import { simdKernel } from './simd-kernel.ts';
import type { WasmMemory } from './web-assembly.ts';

/** Finds the rows that may be among the best; two ways that answer alike. All places are bytes in one memory. */
export interface Kernel {
  readonly name: 'simd' | 'plain';
  /**
   * Notes every row that may belong to the best k (see scan.wat and search.ts).
   * @param codes first row, a multiple of four rows from the start of its block
   * @param rows how many; the memory holds the last four whole
   * @param first number of the first row, for the notes
   * @returns how many rows were scanned: fewer than `rows` when no more can be noted
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
  /** Forgets the noted rows that fell below the threshold. */
  prune(state: number): void;
}

/** The fastest kernel that this processor and Node can run. */
export function openKernel(memory: WasmMemory): Kernel {
  return simdKernel(memory) ?? plainKernel(memory);
}
