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
 * A percentile of counted latencies, in milliseconds; null when nothing was counted. Within a bin calls are taken to
 * be spread evenly on the logarithmic scale.
 *
 * @param counts by number of bin
 * @param share 0…1
 * @example percentile(counts, 0.95)
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const rank = share * all;
  let before = 0;
  for (const [bin, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const into = Math.max(0, Math.min(1, (rank - before) / count));
      return Number((2 ** ((bin + into) / binsPerDouble)).toPrecision(3));
    }
    before += count;
  }
  return null;
}
