/** Similarity at which any stranger would match, and how much of the scale makes a match ten times rarer. */
const zero = 0.25;
const decade = 0.125;

/** Rarity at the top of the scale: it cannot tell more. */
export const rarest = 1_000_000;

/**
 * One stranger in how many reaches this similarity: the inverse of the false match rate 10^((0.25 − s) / 0.125).
 * From 1 to `rarest`.
 * @example strangersPerMatch(0.75); // 10000
 */
export function strangersPerMatch(similarity: number): number {
  return Math.min(rarest, Math.max(1, 10 ** ((similarity - zero) / decade)));
}

/** To two figures, as one says it. @example roundly(12345); // 12000 */
export function roundly(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / step) * step;
}

/** Marks of the scale: each similarity with its rarity. */
export const scaleMarks: readonly { readonly at: number; readonly oneIn: number }[] = [1, 2, 3, 4, 5, 6].map(
  (tens) => ({ at: zero + tens * decade, oneIn: 10 ** tens }),
);
