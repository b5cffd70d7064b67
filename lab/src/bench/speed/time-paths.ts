import { median } from './median.ts';

/** Milliseconds of one run. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Work on one picture. */
export interface Path {
  readonly name: string;
  run(picture: number): Promise<Cost>;
}

/** Costs of a path: medians over the pictures. */
export interface PathTime extends Cost {
  readonly name: string;
  /** CPU time of each picture. */
  readonly cpu: readonly number[];
}

/** Cost of work in this process. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - start };
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
  const costs = paths.map((): Cost[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let picture = 0; picture < pictures; picture++) {
      for (const [at, path] of paths.entries()) {
        const cost = await path.run(picture);
        const least = costs[at]![picture] ?? cost;
        costs[at]![picture] = {
          cpuMs: Math.min(cost.cpuMs, least.cpuMs),
          wallMs: Math.min(cost.wallMs, least.wallMs),
        };
      }
    }
  }
  return paths.map(({ name }, at) => {
    const cpu = costs[at]!.map(({ cpuMs }) => cpuMs);
    return { name, cpuMs: median(cpu), wallMs: median(costs[at]!.map(({ wallMs }) => wallMs)), cpu };
  });
}

/** Median over the pictures of the ratio of two paths' CPU times. */
export function cpuRatio(of: PathTime, to: PathTime): number {
  return median(of.cpu.map((ms, picture) => ms / to.cpu[picture]!));
}
