import { openPreparedPack } from '../../packs/builtin.ts';
import { roles } from '../../packs/manifest.ts';
import type { OpenPack } from '../../packs/pack.ts';
import type { Analysis, Engine } from '../../types.ts';
import { createEngine } from '../in-thread.ts';
import type { Task, WorkerSettings } from './task.ts';

/** Does the tasks of a worker: opens the models and runs each once, then analyses pictures. */
export function createWork(): (task: Task, image: Uint8Array) => Promise<Analysis | null> {
  let engine: Engine | undefined;
  return async (task, image) => {
    if ('analyze' in task) {
      if (!engine) throw new Error('The models are not open.');
      return engine.analyze(image, task.analyze, { deadline: task.deadline });
    }
    if ('open' in task) engine = await open(task.open);
    return null;
  };
}

async function open({ pack, limits }: WorkerSettings): Promise<Engine> {
  const opened = await openPreparedPack(pack);
  await warmUp(opened);
  return createEngine(opened, limits);
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
