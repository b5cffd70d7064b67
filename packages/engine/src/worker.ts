import { serveTasks } from './runtime/processes/serve-tasks.ts';
import { createWork } from './work.ts';

await serveTasks(createWork());
