import { readFileSync } from 'node:fs';
import type { BenchServer } from './server.ts';

/** CPU time, seconds. */
interface CpuTimes {
  readonly generator: number;
  readonly server: number;
  readonly workers: number;
  /** Of all programs. */
  readonly busy: number;
  /** Of all cores, idle or not. */
  readonly all: number;
}

/** Clock ticks a second, of `/proc`. */
const ticks = 100;

/** What was used in a time. */
export interface CpuUse {
  /** CPU time of the server and its workers, seconds. */
  readonly seconds: number;
  /** Of all cores, in percent: load generator / server / workers / other programs. */
  readonly shares: string;
}

/** @returns reports what was used since */
export async function watchCpu(server: BenchServer): Promise<() => Promise<CpuUse>> {
  const before = await cpuTimes(server);
  return async () => {
    const after = await cpuTimes(server);
    const used = (name: keyof CpuTimes) => after[name] - before[name];
    const [generator, main, workers] = [used('generator'), used('server'), used('workers')];
    const others = Math.max(0, used('busy') - generator - main - workers);
    const percent = (part: number) => Math.round((100 * part) / used('all'));
    return { seconds: main + workers, shares: [generator, main, workers, others].map(percent).join(' / ') };
  };
}

async function cpuTimes(server: BenchServer): Promise<CpuTimes> {
  const { cpu } = await server.usage();
  const { user, system } = process.cpuUsage();
  return { generator: (user + system) / 1e6, server: cpu.server, workers: cpu.workers, ...machineTimes() };
}

/** The first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. */
function machineTimes(): Pick<CpuTimes, 'busy' | 'all'> {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map((text) => Number(text) / ticks);
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, all: busy + idle + wait };
}
