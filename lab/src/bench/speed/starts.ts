import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '../../../../packages/contract/dist/index.js';
import { childrenOf, proportionalMemory, useOf } from '../load/processes.ts';
import { median } from './quantile.ts';

const program = join(import.meta.dirname, '../../../../packages/server/bin/wajah.js');

/** A start of `wajah serve` with a number of workers, with converted models and a data directory of an earlier start. */
export interface Start {
  readonly workers: number;
  /** From the start of the process until it says that it is ready; median. */
  readonly readySeconds: number;
  /** CPU time of the server and its workers until then; median. */
  readonly cpuSeconds: number;
  /** Idle memory of the server, and of its workers together, megabytes (10⁶ bytes); medians. */
  readonly serverMb: Memory;
  readonly workersMb: Memory;
}

interface Memory {
  readonly resident: number;
  /** Shared pages in parts (PSS). */
  readonly proportional: number;
}

/** Starts the server with one and with two workers in turn. @param count of starts of each */
export async function measureStarts(count: number): Promise<Start[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wajah-starts-'));
  await start(folder, 1);
  const all = [1, 2].map((workers) => ({ workers, seen: [] as Awaited<ReturnType<typeof start>>[] }));
  for (let i = 0; i < count; i++) {
    for (const { workers, seen } of all) seen.push(await start(folder, workers));
  }
  rmSync(folder, { recursive: true });
  return all.map(({ workers, seen }) => {
    const megabytes = (of: 'server' | 'workers'): Memory => ({
      resident: median(seen.map((one) => one[of].resident / 1e6)),
      proportional: median(seen.map((one) => one[of].proportional / 1e6)),
    });
    return {
      workers,
      readySeconds: median(seen.map((one) => one.seconds)),
      cpuSeconds: median(seen.map((one) => one.cpu)),
      serverMb: megabytes('server'),
      workersMb: megabytes('workers'),
    };
  });
}

/** Rows of a table of starts. */
export function startsTable(starts: readonly Start[]): string {
  const memory = ({ resident, proportional }: Memory) =>
    `${resident.toFixed(0)} (${proportional.toFixed(0)})`;
  return [
    '| workers | ready, s | CPU until then, s | idle memory, MB, resident (shared pages in parts): server | workers |',
    '| --- | --- | --- | --- | --- |',
    ...starts.map(
      ({ workers, readySeconds, cpuSeconds, serverMb, workersMb }) =>
        `| ${workers} | ${readySeconds.toFixed(2)} | ${cpuSeconds.toFixed(2)} | ${memory(serverMb)} | ${memory(workersMb)} |`,
    ),
  ].join('\n');
}

async function start(folder: string, workers: number) {
  const env = {
    WAJAH_PORT: '0',
    WAJAH_DATA_DIR: folder,
    WAJAH_ENGINE_WORKERS: `${workers}`,
    // A start is measured, not a network.
    WAJAH_PAD_PACK: 'off',
  };
  const began = performance.now();
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(child, 'exit');
  const url = await listeningUrl(child.stdout);
  while (!(await fetch(url + endpoints.ready.path)).ok) await setTimeout(5);
  const seconds = (performance.now() - began) / 1000;
  const [server, others] = [[child.pid!], childrenOf(child.pid!)].map((pids) => ({
    ...useOf(pids),
    proportional: proportionalMemory(pids),
  }));
  child.kill('SIGTERM');
  await exit;
  return { seconds, cpu: server!.cpu + others!.cpu, server: server!, workers: others! };
}

async function listeningUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('the server ended');
}
