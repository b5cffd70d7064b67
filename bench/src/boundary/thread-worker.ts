// Does the tasks of an engine worker in a thread, as the alternative that bench boundary compares processes with.
import { parentPort } from 'node:worker_threads';
import type { Task } from '../../../packages/engine/dist/runtime/processes/messages.js';
import { createWork } from '../../../packages/engine/dist/work.js';

const work = createWork();

parentPort?.on('message', async ({ task, image }: { task: Task; image: Uint8Array }) => {
  parentPort?.postMessage(await work(task, image));
});
