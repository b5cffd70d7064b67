/**
 * A worker without models whose faults a picture chooses by its text; any other text gives the process id as `found`.
 * Tests name this file as the worker, no setting does.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { serveTasks } from '../../dist/runtime/processes/serve-tasks.js';

const kept = [];

const faults = {
  exit: () => process.exit(7),
  segmentationFault: () => process.kill(process.pid, 'SIGSEGV'),
  outOfMemory: () => process.kill(process.pid, 'SIGKILL'),
  stop: () => process.kill(process.pid, 'SIGSTOP'),
  hang: () => new Promise(() => setInterval(() => undefined, 1000)),
  loop() {
    for (;;);
  },
  allocate() {
    for (let mib = 0; mib < 8192; mib += 64) kept.push(Buffer.alloc(64 << 20, 1));
  },
  keepMemory: () => void kept.push(Buffer.alloc(400 << 20, 1)),
  throw() {
    throw new Error('a defect');
  },
  damagedAnswer: () => writeSync(3, Buffer.alloc(100, 255)),
};

/** What a worker must not be able to do. */
const rights = {
  writeFile: () => writeFileSync(join(tmpdir(), `wajah-worker-${process.pid}`), ''),
  readHome: () => readdirSync('/root'),
  readTemporaryFiles: () => readdirSync(tmpdir()),
  startProgram: () => execFileSync(process.execPath, ['--version']),
  startThread: () => new Worker('', { eval: true }),
  readEnvironment() {
    // The shell that sets the memory limit adds the working directory; the others are settings of libuv and glibc.
    const expected = /^(PWD|OLDPWD|_|SHLVL|UV_THREADPOOL_SIZE|MALLOC_[A-Z_]+)$/;
    const names = Object.keys(process.env).filter((name) => !expected.test(name));
    if (names.length === 0) throw new Error('nothing to read');
  },
};

function allowedRights() {
  return Object.keys(rights).filter((name) => {
    try {
      rights[name]();
      return true;
    } catch {
      return false;
    }
  });
}

await serveTasks(async (task, image) => {
  if ('open' in task && task.open.pack.manifest.id === 'failing') process.exit(3);
  if (!('analyze' in task)) return null;
  const text = Buffer.from(image).toString('latin1');
  if (text === 'rights') throw new Error(allowedRights().join(' '));
  await faults[text]?.();
  return { image: { width: 1, height: 1, format: 'jpeg' }, faces: [], found: process.pid };
});
