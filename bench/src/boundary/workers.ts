import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PreparedPack } from '../../../packages/engine/dist/packs/builtin.js';
import { compiledFile } from '../../../packages/engine/dist/runtime/processes/command.js';
import type { Task } from '../../../packages/engine/dist/runtime/processes/messages.js';
import { startWorker } from '../../../packages/engine/dist/runtime/processes/worker-process.js';

/** An engine worker behind a boundary. */
export interface BenchWorker {
  /** Process id; null: a thread of this process. */
  readonly pid: number | null;
  run(task: Task, image: Uint8Array): Promise<unknown>;
  end(): Promise<unknown>;
}

const limits = { maxBytes: 64 << 20, maxPixels: 100e6 };

/** Starts a worker as the server does. */
export async function startProcess(pack: PreparedPack): Promise<BenchWorker> {
  const launch = { pack, entry: compiledFile('worker.js'), memoryBytes: 1536 * 2 ** 20, launcher: [] };
  const worker = await startWorker(launch, limits, () => undefined);
  return {
    pid: worker.pid ?? null,
    run: (task, image) => worker.run(task, { image, timeoutMs: 600_000 }),
    end() {
      worker.end('measured');
      return worker.ended;
    },
  };
}

/** Starts the same work in a thread; a picture is copied and the copy transferred. */
export async function startThread(pack: PreparedPack): Promise<BenchWorker> {
  const thread = new Worker(new URL('./thread-worker.js', import.meta.url));
  const run = async (task: Task, image: Uint8Array): Promise<unknown> => {
    const copy = new Uint8Array(image);
    thread.postMessage({ task, image: copy }, [copy.buffer]);
    const [answer] = await once(thread, 'message');
    return answer;
  };
  await run({ open: { pack, limits } }, new Uint8Array());
  return { pid: null, run, end: () => thread.terminate() };
}
