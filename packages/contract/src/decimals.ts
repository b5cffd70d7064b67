/** Steps of similarities, scores and thresholds on the wire in 1: four decimals. */
const steps = 10_000;

/** Steps of angles on the wire in one degree. */
const angleSteps = 100;

/** Share of a step by which floating point may miss a number of four decimals. */
const noise = 1e-6;

/**
 * Similarities and scores (0…1) leave the server cut to four decimals and thresholds are raised to four, so a
 * value reaches a threshold exactly when the number shown does: `verified` never contradicts `similarity`.
 *
 * @example cutFraction(0.62499); // 0.6249
 */
export function cutFraction(value: number): number {
  const step = Math.floor(value * steps + noise) / steps;
  // What only noise carried up is still below.
  return step > value ? (Math.round(step * steps) - 1) / steps : step;
}

/**
 * The least number of four decimals that is not below `value`.
 *
 * @example raiseThreshold(0.25 + 0.125 * Math.log10(300 / 0.01)); // 0.8097, of 0.80964…
 */
export function raiseThreshold(value: number): number {
  // Without the sum, 0 would be −0.
  return Math.ceil(value * steps - noise) / steps + 0;
}

/**
 * An angle in degrees, cut towards 0 to two decimals.
 *
 * @example cutDegrees(-11.996); // -11.99, still the front
 */
export function cutDegrees(value: number): number {
  // Without the sum, small negative angles would be −0.
  return Math.trunc(value * angleSteps) / angleSteps + 0;
}
