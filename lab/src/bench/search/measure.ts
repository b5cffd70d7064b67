/** Latency of a search, ms. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  /** Processor time, without waiting for other programs. */
  readonly cpu50: number;
  readonly cpu95: number;
}

/** Processor time of this process so far, ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Times searches in turn, round after round, so that other load of the machine affects all of them.
 * @param runs number of repetitions; the quietest is the one with the lowest p50 of the first search
 * @returns the times of that run, in the order of `searches`
 */
export async function quietestRun(
  searches: readonly ((round: number) => unknown)[],
  rounds: number,
  runs: number,
): Promise<Times[]> {
  let best: Times[] | null = null;
  for (let run = 0; run < runs; run++) {
    const found = await measure(searches, rounds);
    if (!best || found[0]!.p50 < best[0]!.p50) best = found;
  }
  return best!;
}

async function measure(searches: readonly ((round: number) => unknown)[], rounds: number): Promise<Times[]> {
  const wall: number[][] = searches.map(() => []);
  const cpu: number[][] = searches.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, search] of searches.entries()) {
      const [start, cpuBefore] = [performance.now(), cpuMs()];
      await search(round);
      wall[at]!.push(performance.now() - start);
      cpu[at]!.push(cpuMs() - cpuBefore);
    }
  }
  return searches.map((_, at) => ({
    p50: share(wall[at]!, 0.5),
    p95: share(wall[at]!, 0.95),
    cpu50: share(cpu[at]!, 0.5),
    cpu95: share(cpu[at]!, 0.95),
  }));
}

function share(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(part * times.length))]!;
}
