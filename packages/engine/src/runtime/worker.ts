import { workerData } from 'node:worker_threads';
import { EngineError, type EngineErrorCode } from '../errors.ts';
import { openPreparedPack, type PreparedPack } from '../packs/builtin.ts';
import { warmUp } from '../packs/warm-up.ts';
import type { Analysis, AnalyzeRequest, Engine, ImageLimits } from '../types.ts';
import { createEngine } from './in-thread.ts';

/** What a worker is started with. */
export interface WorkerSettings {
  readonly pack: PreparedPack;
  readonly limits: ImageLimits;
}

/** A picture to analyse, or null: answer when the models are warm. */
export type Task = { readonly image: Uint8Array; readonly request: AnalyzeRequest } | null;

/** Errors do not keep their class between threads, so refusals travel as data. */
export type Answer =
  | { readonly analysis: Analysis | null }
  | { readonly refused: { readonly code: EngineErrorCode; readonly message: string } };

const engine = start();
// A failed start is reported by each task; it must not end the thread, which would only be started again.
engine.catch(() => undefined);

/** Works on one task at a time. */
export async function work(task: Task): Promise<Answer> {
  try {
    const { analyze } = await engine;
    return { analysis: task && (await analyze(task.image, task.request)) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}

async function start(): Promise<Engine> {
  const settings: WorkerSettings = workerData;
  const pack = await openPreparedPack(settings.pack);
  await warmUp(pack);
  return createEngine(pack, { limits: settings.limits });
}
