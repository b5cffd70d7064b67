import { analyze } from './analyze.ts';
import { thumbnailOf } from './imaging/face-crop.ts';
import { roles } from './packs/manifest.ts';
import { type OpenPack, openPreparedPack } from './runtime/open-pack.ts';
import type { Task, WorkerSettings } from './runtime/processes/messages.ts';
import type { Analysis } from './types.ts';

/**
 * Does the tasks of a worker: opens the models and runs each once, then analyses pictures. Between tasks a worker blocks, so
 * V8 collects no garbage then; it is collected when the models are open, and at the pings that an unused worker gets.
 */
export function createWork(): (task: Task, image: Uint8Array) => Promise<Analysis | Uint8Array | null> {
  let open: { readonly pack: OpenPack; readonly limits: WorkerSettings['limits'] } | undefined;
  return async (task, image) => {
    if ('analyze' in task) {
      if (!open) throw new Error('The models are not open.');
      return analyze(open.pack.models, image, task.analyze, open.limits, task.deadline);
    }
    if ('thumbnail' in task) return thumbnailOf(image, task.thumbnail);
    if ('open' in task) {
      const { pack, limits } = task.open;
      open = { pack: await openPreparedPack(pack), limits };
      await warmUp(open.pack);
    }
    globalThis.gc?.();
    return null;
  };
}

/** Runs each network once, as ONNX Runtime allocates and optimises in the first run. */
async function warmUp({ models }: OpenPack): Promise<void> {
  for (const { network, spec } of [
    ...roles.map((role) => models[role]),
    ...Object.values(models.padNetworks ?? {}),
    ...(models.secondEmbedder ? [models.secondEmbedder] : []),
  ]) {
    const { channels, height, width } = spec.input;
    const data = new Float32Array(channels * height * width);
    await network.run({ [network.inputs[0]!]: { data, dims: [1, channels, height, width] } });
  }
}
