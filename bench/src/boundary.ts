// Cost of the boundary between the server and its engine workers: processes (what the server runs) against threads.
//   npm run bench boundary -- [--calls 100] [--pictures 20] [--workers 3] [--data ../shared/eval]
// Calls alternate between a process and a thread, so that other load of the machine affects both. `empty` calls move a
// picture and an empty answer. CPU time is that of the server's process. Memory is the sum of the proportional set sizes
// (PSS): pages that processes share count once.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareBuiltinPack } from '../../packages/engine/dist/packs/builtin.js';
import type { Task } from '../../packages/engine/dist/runtime/processes/messages.js';
import { type BenchWorker, startProcess, startThread } from './boundary/workers.ts';
import { median } from './pictures/timing.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100' },
    pictures: { type: 'string', default: '20' },
    workers: { type: 'string', default: '3' },
    data: { type: 'string', default: '../shared/eval' },
    memory: { type: 'string' },
  },
});
const pack = await prepareBuiltinPack(join(import.meta.dirname, '../../.cache'));

interface Durations {
  readonly wall: number[];
  readonly cpu: number[];
}

async function measure(worker: BenchWorker, task: Task, image: Uint8Array, into: Durations): Promise<void> {
  const before = process.cpuUsage();
  const start = performance.now();
  await worker.run(task, image);
  into.wall.push(performance.now() - start);
  const { user, system } = process.cpuUsage(before);
  into.cpu.push((user + system) / 1000);
}

interface Pair {
  readonly worker: BenchWorker;
  readonly thread: BenchWorker;
}

async function compare(
  name: string,
  { worker, thread }: Pair,
  task: Task,
  images: readonly Uint8Array[],
): Promise<void> {
  const [there, here]: [Durations, Durations] = [
    { wall: [], cpu: [] },
    { wall: [], cpu: [] },
  ];
  for (const image of images) {
    await measure(worker, task, image, there);
    await measure(thread, task, image, here);
  }
  const [a, b] = [median(there.wall), median(here.wall)];
  const more = median(there.wall.map((wall, at) => wall - here.wall[at]!));
  const share = [a, b, more, a / b, median(there.cpu)].map((it) => it.toFixed(2));
  console.log(`| ${name} | ${share.join(' | ')} |`);
}

/** PSS of processes in MB, those of this one included. */
function memoryOf(workers: readonly BenchWorker[]): number {
  const pids = [process.pid, ...workers.flatMap(({ pid }) => pid ?? [])];
  const sizes = pids.map((pid) =>
    Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** Memory of this process and of its workers, MB, as workers are added. */
async function printMemory(kind: string): Promise<void> {
  const workers: BenchWorker[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < Number(values.workers); i++) {
    const added = await (kind === 'process' ? startProcess(pack) : startThread(pack));
    workers.push(added);
    for (const picture of pictures.slice(0, 3)) await added.run(analyze, picture);
    sizes.push(memoryOf(workers));
  }
  await Promise.all(workers.map((one) => one.end()));
  console.log(`| ${kind} | ${sizes.map((size) => size.toFixed(0)).join(' | ')} |`);
}

/** Each kind in a fresh process: a library that was loaded once stays. */
function measureMemory(): void {
  const counts = Array.from({ length: Number(values.workers) }, (_, i) => `${i + 1}`);
  console.log(`\n| server and workers, MB | ${counts.join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(counts.length)}`);
  for (const kind of ['process', 'thread']) {
    const args = [import.meta.filename, ...process.argv.slice(2), '--memory', kind];
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
}

async function measureCalls(): Promise<void> {
  const pair = { worker: await startProcess(pack), thread: await startThread(pack) };
  console.log('\n| call | process, ms | thread, ms | difference, ms | ratio | CPU of the server, ms |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const size of [30e3, 300e3, 1e6, 4e6, 10e6]) {
    const images = new Array<Uint8Array>(Number(values.calls)).fill(new Uint8Array(size));
    await compare(`empty, ${size / 1e6} MB`, pair, { ping: true }, images);
  }
  if (pictures.length > 0) await compare(`analysis, ${pictures.length} pictures`, pair, analyze, pictures);
  await Promise.all([pair.worker.end(), pair.thread.end()]);
}

function readPictures(): Uint8Array[] {
  const folder = join(values.data, 'verification');
  try {
    const entries = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      file: string;
      split: string;
    }[];
    const dev = entries.filter(({ split }) => split === 'dev').slice(0, Number(values.pictures));
    return dev.map(({ file }) => readFileSync(join(folder, file)));
  } catch {
    return [];
  }
}

const analyze: Task = {
  analyze: { attributes: ['embedding', 'pose'], maxFaces: 1, search: 'fast' },
  deadline: Number.MAX_SAFE_INTEGER,
};
const pictures = readPictures();
if (values.memory) {
  await printMemory(values.memory);
} else {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores; Node ${process.versions.node}`);
  await measureCalls();
  measureMemory();
}
