/** Milliseconds of one way to search. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  /** Of processor time, which does not count waiting for other programs. */
  readonly busy50: number;
  readonly busy95: number;
}

/** Processor time of this process so far, ms. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Several ways in turn, round after round, so that all see the same noise of the machine.
 * @param runs how often everything is repeated; the run with the least p50 of the first way is the quietest
 * @param busyMs processor time so far
 * @returns the times of that run, in the order of the ways
 */
export async function quietest(
  ways: readonly ((round: number) => unknown)[],
  rounds: number,
  runs: number,
  busyMs = processorMs,
): Promise<Times[]> {
  let best: Times[] | null = null;
  for (let run = 0; run < runs; run++) {
    const found = await measure(ways, rounds, busyMs);
    if (!best || found[0]!.p50 < best[0]!.p50) best = found;
  }
  return best!;
}

async function measure(
  ways: readonly ((round: number) => unknown)[],
  rounds: number,
  busyMs: () => number,
): Promise<Times[]> {
  const wall: number[][] = ways.map(() => []);
  const busy: number[][] = ways.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [way, search] of ways.entries()) {
      const [start, busyBefore] = [performance.now(), busyMs()];
      await search(round);
      wall[way]!.push(performance.now() - start);
      busy[way]!.push(busyMs() - busyBefore);
    }
  }
  return ways.map((_, way) => ({
    p50: share(wall[way]!, 0.5),
    p95: share(wall[way]!, 0.95),
    busy50: share(busy[way]!, 0.5),
    busy95: share(busy[way]!, 0.95),
  }));
}

function share(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(part * times.length))]!;
}
