import type { ImageLimits } from '../../types.ts';
import { type Launch, workerCommand } from './command.ts';
import { WorkerProcess } from './worker-process.ts';

/** A worker that has not opened its models after this time is ended, milliseconds. */
const START_TIMEOUT_MS = 120_000;

/**
 * Starts a worker and waits until it has run its models once.
 * @param started receives the process before that
 * @throws EngineError `pack` | `crashed`
 */
export async function startWorker(
  launch: Launch,
  limits: ImageLimits,
  started: (worker: WorkerProcess) => void,
): Promise<WorkerProcess> {
  const worker = new WorkerProcess(workerCommand(launch));
  started(worker);
  try {
    await worker.run({ open: { pack: launch.pack, limits } }, { timeoutMs: START_TIMEOUT_MS });
    return worker;
  } catch (error) {
    worker.end('its start failed');
    throw error;
  }
}
