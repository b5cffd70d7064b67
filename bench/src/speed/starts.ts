import { resolve } from 'node:path';
import { startBenchServer } from '../load/server.ts';
import { median } from '../pictures/timing.ts';

/** A start of the server with a number of workers. */
export interface Start {
  readonly workers: number;
  /** Until it answers; median. */
  readonly readySeconds: number;
  /** CPU time of the server and its workers until then; median. */
  readonly cpuSeconds: number;
  /** Resident megabytes (10⁶ bytes), idle; medians. */
  readonly serverMb: number;
  readonly workersMb: number;
}

/** Starts the server with one and with two workers in turn. @param count of starts of each */
export async function measureStarts(count: number): Promise<Start[]> {
  const all = [1, 2].map((workers) => ({ workers, seen: [] as Omit<Start, 'workers'>[] }));
  const cache = { WAJAH_CACHE_DIR: resolve('.cache') };
  for (let i = 0; i < count; i++) {
    for (const { workers, seen } of all) {
      const start = performance.now();
      const server = await startBenchServer({ ...cache, WAJAH_ENGINE_WORKERS: `${workers}` });
      const readySeconds = (performance.now() - start) / 1000;
      const { memory, cpu } = await server.usage();
      const cpuSeconds = cpu.server + cpu.workers;
      seen.push({ readySeconds, cpuSeconds, serverMb: memory.server / 1e6, workersMb: memory.workers / 1e6 });
      await server.stop();
    }
  }
  return all.map(({ workers, seen }) => ({
    workers,
    readySeconds: median(seen.map((one) => one.readySeconds)),
    cpuSeconds: median(seen.map((one) => one.cpuSeconds)),
    serverMb: median(seen.map((one) => one.serverMb)),
    workersMb: median(seen.map((one) => one.workersMb)),
  }));
}
