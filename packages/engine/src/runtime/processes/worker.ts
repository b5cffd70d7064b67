import { serveTasks } from './serve-tasks.ts';
import { createWork } from './work.ts';

await serveTasks(createWork());
