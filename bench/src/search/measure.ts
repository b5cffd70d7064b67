/** Milliseconds of one way to search. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly least: number;
}

export function summary(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { p50: at(0.5), p95: at(0.95), least: sorted[0]! };
}

/**
 * Several ways in turn, round after round, so that all see the same noise of the machine.
 * @param runs how often everything is repeated; the run with the least p50 of the first way is the quietest
 * @returns the times of that run, in the order of the ways
 */
export async function quietest(
  ways: readonly ((round: number) => unknown)[],
  rounds: number,
  runs: number,
): Promise<Times[]> {
  let best: Times[] | null = null;
  for (let run = 0; run < runs; run++) {
    const times: number[][] = ways.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [way, search] of ways.entries()) {
        const start = performance.now();
        await search(round);
        times[way]!.push(performance.now() - start);
      }
    }
    const found = times.map(summary);
    if (!best || found[0]!.p50 < best[0]!.p50) best = found;
  }
  return best!;
}
