import { parentPort, workerData } from 'node:worker_threads';
import type { ScoredRow } from './best-rows.ts';
import { openKernel, type WasmMemory } from './kernel.ts';
import { scratchOf } from './layout.ts';
import { type PairAnswer, type PairQuestion, searchPairs } from './pairs.ts';
import { type ScanMemory, type ScanTarget, searchRows } from './search.ts';

/** The best `k` rows for a probe, or the next pairs of rows. */
export type ScanQuestion = { readonly probe: Float32Array; readonly k: number } | PairQuestion;

/** A search for a worker. */
export interface ScanTask {
  /** Memories that are new to this worker. */
  readonly memories: readonly WasmMemory[];
  readonly target: ScanTarget;
  readonly question: ScanQuestion;
}

export type ScanAnswer = { readonly found: ScoredRow[] | PairAnswer } | { readonly error: unknown };

const { thread } = workerData as { thread: number };
const memories: ScanMemory[] = [];

parentPort?.on('message', (task: ScanTask) => {
  parentPort?.postMessage(answer(task));
});

function answer({ memories: added, target, question }: ScanTask): ScanAnswer {
  try {
    for (const memory of added) {
      memories.push({ memory, kernel: openKernel(memory), scratch: scratchOf(thread) });
    }
    if ('after' in question) return { found: searchPairs(memories, target, question) };
    return { found: searchRows(memories, target, question.probe, question.k) };
  } catch (error) {
    return { error };
  }
}
