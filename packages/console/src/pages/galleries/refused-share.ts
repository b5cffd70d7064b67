/** Width of a bin of a gallery's scores. */
export const binWidth = 1 / 80;

/**
 * Counts the probes whose similarity is below a threshold, and all. Within a bin they count as evenly spread.
 * @param bins counts of equal intervals of 0 to 1
 * @example probesBelow([4, 2], 0.75); // { below: 5, all: 6 }
 */
export function probesBelow(bins: readonly number[], threshold: number) {
  const all = bins.reduce((sum, count) => sum + count, 0);
  // A product such as 50 × 0.0125 may be a little less than it should be.
  const place = Math.round(threshold * bins.length * 1e6) / 1e6;
  const below = bins.reduce((sum, count, bin) => sum + count * Math.min(1, Math.max(0, place - bin)), 0);
  return { below: Math.round(below), all };
}
