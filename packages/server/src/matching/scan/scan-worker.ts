import { parentPort, workerData } from 'node:worker_threads';
import type { WasmMemory } from './kernel.ts';
import { type FoundRows, ScanMemories, type ScanQuestion, type ScanTarget, searchRows } from './search.ts';

/** A search for a worker. */
export interface ScanTask {
  /** Memories that are new to this worker. */
  readonly codes: readonly WasmMemory[];
  readonly templates: readonly WasmMemory[];
  readonly target: ScanTarget;
  readonly question: ScanQuestion;
}

export type ScanAnswer = { readonly found: FoundRows } | { readonly error: unknown };

const memories = new ScanMemories((workerData as { thread: number }).thread);

parentPort?.on('message', (task: ScanTask) => {
  const answer = answerTo(task);
  parentPort?.postMessage(
    answer,
    'found' in answer ? [answer.found.rows.buffer, answer.found.scores.buffer] : [],
  );
});

function answerTo({ codes, templates, target, question }: ScanTask): ScanAnswer {
  try {
    memories.add(codes, templates);
    return { found: searchRows(memories, target, question) };
  } catch (error) {
    return { error };
  }
}
