import { BestRows, type ScoredRow } from './best-rows.ts';
import type { WasmMemory } from './kernel/kernel.ts';
import { blockFields, orderOfIds, type ScanTarget } from './search.ts';

/** No memory: blocks in it are not scanned. */
const NOWHERE = -1;

/** The target in parts of neighbouring blocks, for as many threads. Each part has all rows, and scans its own. */
export function partsOf(target: ScanTarget, count: number): ScanTarget[] {
  const total = target.blocks.length / blockFields;
  return Array.from({ length: count }, (_, part) => {
    const blocks = target.blocks.slice();
    const [first, end] = [part, part + 1].map((edge) => Math.round((edge * total) / count));
    for (let block = 0; block < total; block++) {
      if (block < first! || block >= end!) blocks[block * blockFields] = NOWHERE;
    }
    return { ...target, blocks };
  });
}

/** The k best of the best rows of all parts: exact, as each row of them is among the best of its part. */
export function joinParts(
  memories: readonly WasmMemory[],
  target: ScanTarget,
  k: number,
  parts: readonly (readonly ScoredRow[])[],
): ScoredRow[] {
  const buffers = memories.map(({ buffer }) => buffer);
  const best = new BestRows(k, orderOfIds(buffers, target));
  for (const { row, score } of parts.flat()) best.add(row, score);
  return best.rows;
}
