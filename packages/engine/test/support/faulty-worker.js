/**
 * A worker without models whose faults a picture chooses by its text; any other text gives the process id as `found`.
 * Tests name this file as the worker, no setting does.
 */
import { writeSync } from 'node:fs';
import { serveTasks } from '../../dist/runtime/processes/serve-tasks.js';

const faults = {
  exit: () => process.exit(7),
  segmentationFault: () => process.kill(process.pid, 'SIGSEGV'),
  stop: () => process.kill(process.pid, 'SIGSTOP'),
  hang: () => new Promise(() => setInterval(() => undefined, 1000)),
  loop() {
    for (;;);
  },
  allocate() {
    const kept = [];
    for (let mib = 0; mib < 8192; mib += 64) kept.push(Buffer.alloc(64 << 20, 1));
  },
  throw() {
    throw new Error('a defect');
  },
  damagedAnswer: () => writeSync(3, Buffer.alloc(100, 255)),
};

await serveTasks(async (task, image) => {
  if ('open' in task) {
    if (task.open.pack.manifest.id === 'failing') process.exit(3);
    return null;
  }
  const text = Buffer.from(image).toString('latin1');
  await faults[text]?.();
  return { image: { width: 1, height: 1, format: 'jpeg' }, faces: [], found: process.pid };
});
