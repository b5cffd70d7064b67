/** Bins in a factor of two: a bin is 19 % wide, so a percentile is right to that. */
const binsPerDouble = 4;
/** The last bin has all that took longer than about a minute. */
export const latencyBins = 64;

/** @param ms how long a call took @returns number of its bin, from 0 */
export function latencyBin(ms: number): number {
  const bin = Math.floor(binsPerDouble * Math.log2(Math.max(ms, 1)));
  return Math.min(bin, latencyBins - 1);
}

/**
 * Percentiles of counted latencies, in milliseconds; null when nothing was counted. Within a bin calls are taken to be
 * spread evenly on the logarithmic scale. One pass in a plain loop: an answer has hundreds of them in one turn.
 *
 * @param counts by number of bin
 * @param shares 0…1, rising
 * @example const [median, late] = percentiles(counts, [0.5, 0.95]);
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
      const into = Math.max(0, Math.min(1, (shares[found.length]! * all - before) / count));
      found.push(Number((2 ** ((bin + into) / binsPerDouble)).toPrecision(3)));
    }
    before += count;
  }
  return found;
}
