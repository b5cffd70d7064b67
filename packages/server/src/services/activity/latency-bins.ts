/** Bins per factor of two: a bin is 19 % wide, which is the precision of a percentile. */
const binsPerDouble = 4;
/** The last bin counts all calls of more than about a minute. */
export const latencyBins = 64;

/** @param ms latency of a call @returns index of its bin */
export function latencyBin(ms: number): number {
  const bin = Math.floor(binsPerDouble * Math.log2(Math.max(ms, 1)));
  return Math.min(bin, latencyBins - 1);
}

/**
 * Percentiles of counted latencies, milliseconds; null without any call. Calls are assumed to be distributed evenly
 * over a bin on the logarithmic scale. One pass, because an answer computes hundreds of percentiles.
 *
 * @param counts by index of the bin
 * @param shares 0…1, ascending
 * @example const [median, p95] = percentiles(counts, [0.5, 0.95]);
 */
export function percentiles(counts: readonly number[], shares: readonly number[]): (number | null)[] {
  let all = 0;
  for (let bin = 0; bin < counts.length; bin++) all += counts[bin]!;
  if (all === 0) return shares.map(() => null);
  const found: number[] = [];
  let before = 0;
  for (let bin = 0; bin < counts.length && found.length < shares.length; bin++) {
    const count = counts[bin]!;
    if (count === 0) continue;
    while (found.length < shares.length && before + count >= shares[found.length]! * all) {
      const position = Math.max(0, Math.min(1, (shares[found.length]! * all - before) / count));
      found.push(Number((2 ** ((bin + position) / binsPerDouble)).toPrecision(3)));
    }
    before += count;
  }
  return found;
}
