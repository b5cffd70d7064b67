import { serveTasks } from './runtime/processes/serve-tasks.ts';
import type { createWork } from './work.ts';

let work: ReturnType<typeof createWork> | undefined;
// What cannot be loaded on this machine is the answer to the first task.
await serveTasks(async (task, image) => {
  work ??= (await import('./work.ts')).createWork();
  return work(task, image);
});
