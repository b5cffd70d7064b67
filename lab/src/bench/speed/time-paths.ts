import { median } from './quantile.ts';

/** Work on one picture. @returns its CPU time, milliseconds */
export interface Path {
  readonly name: string;
  run(picture: number): Promise<number>;
}

/** CPU time of a path, milliseconds. */
export interface PathTime {
  readonly name: string;
  /** Median over the pictures. */
  readonly cpuMs: number;
  /** Of each picture. */
  readonly cpu: readonly number[];
}

/** CPU time of work in this process, milliseconds. */
export async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Runs all paths on each picture in turn, so that other load of the machine affects all of them; of several rounds the
 * fastest one of each picture counts.
 */
export async function timePaths(
  paths: readonly Path[],
  pictures: number,
  rounds: number,
): Promise<PathTime[]> {
  // Allocates and compiles.
  for (const path of paths) await path.run(0);
  const costs = paths.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let picture = 0; picture < pictures; picture++) {
      for (const [at, path] of paths.entries()) {
        const ms = await path.run(picture);
        costs[at]![picture] = Math.min(ms, costs[at]![picture] ?? ms);
      }
    }
  }
  return paths.map(({ name }, at) => ({ name, cpuMs: median(costs[at]!), cpu: costs[at]! }));
}

/** Median over the pictures of the ratio of two paths' CPU times. */
export function cpuRatio(of: PathTime, to: PathTime): number {
  return median(of.cpu.map((ms, picture) => ms / to.cpu[picture]!));
}
