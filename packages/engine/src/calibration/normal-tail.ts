/** Share of a standard normal distribution at or above z, 0 or more (Abramowitz and Stegun 26.2.17, error 7.5e-8). */
export function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return density(z) * sum;
}

/** Density of a standard normal distribution. */
export function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** The z that a share of a standard normal distribution is above. @param share 1e-6…0.5 */
export function zOfShare(share: number): number {
  let [low, high] = [0, 6];
  for (let pass = 0; pass < 60; pass++) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > share) low = middle;
    else high = middle;
  }
  return low;
}
