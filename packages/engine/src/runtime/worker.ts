import { workerData } from 'node:worker_threads';
import { EngineError, type EngineErrorCode } from '../errors.ts';
import { openPreparedPack, type PreparedPack } from '../packs/builtin.ts';
import { roles } from '../packs/manifest.ts';
import type { OpenPack } from '../packs/pack.ts';
import type { Analysis, AnalyzeRequest, Engine, ImageLimits } from '../types.ts';
import { createEngine } from './in-thread.ts';

/** `workerData` of a worker. */
export interface WorkerSettings {
  readonly pack: PreparedPack;
  readonly limits: ImageLimits;
}

/** A picture to analyse, or null to wait until the models are warm. */
export type Task = { readonly image: Uint8Array; readonly request: AnalyzeRequest } | null;

/** Errors lose their class between threads, so engine errors are sent as data. */
export type Answer =
  | { readonly analysis: Analysis | null }
  | { readonly refused: { readonly code: EngineErrorCode; readonly message: string } };

const engine = start();
// Each task reports a failed start; an unhandled rejection would terminate the thread and start it again.
engine.catch(() => undefined);

/** Runs one task. */
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
  return createEngine(pack, settings.limits);
}

/** Runs each network once, as ONNX Runtime allocates and optimises in the first run. */
async function warmUp({ models }: OpenPack): Promise<void> {
  for (const { network, spec } of [
    ...roles.map((role) => models[role]),
    ...Object.values(models.padNetworks ?? {}),
  ]) {
    const { channels, height, width } = spec.input;
    const data = new Float32Array(channels * height * width);
    await network.run({ [network.inputs[0]!]: { data, dims: [1, channels, height, width] } });
  }
}
