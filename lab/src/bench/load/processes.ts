import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, of `/proc`. */
const ticks = 100;

/** What processes use together. Processes that have ended count as nothing. */
interface ProcessUse {
  /** Bytes; pages that processes share count in each. */
  readonly resident: number;
  /** CPU seconds since the start. */
  readonly cpu: number;
}

/** Process ids of the children. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => Number(/PPid:\s+(\d+)/.exec(read(id, 'status'))?.[1]) === pid);
}

export function useOf(pids: readonly number[]): ProcessUse {
  return { resident: sum(pids, bytesOf('status', 'VmRSS')), cpu: sum(pids, cpuOf) };
}

/** Bytes; a page that n processes share counts 1/n in each (PSS). Takes the kernel milliseconds of a large process. */
export function proportionalMemory(pids: readonly number[]): number {
  return sum(pids, bytesOf('smaps_rollup', 'Pss'));
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((all, pid) => all + of(pid), 0);
}

/** Bytes of a line in kilobytes. */
function bytesOf(file: string, name: string): (pid: number) => number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm');
  return (pid) => Number(line.exec(read(pid, file))?.[1] ?? 0) * 1024;
}

/** User and system time are the 12th and 13th fields after the name, which is in brackets. */
function cpuOf(pid: number): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticks;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}
