/** Similarities, scores and thresholds have four decimals on the wire. */
const steps = 10_000;

/** Angles have two decimals on the wire. */
const angleSteps = 100;

/** Tolerated floating-point error, as a share of a step. */
const noise = 1e-6;

/**
 * Cuts a similarity or score (0…1) to four decimals. Thresholds are raised to four decimals, so that a value reaches a
 * threshold exactly when its printed number does, and `verified` never contradicts `similarity`.
 *
 * @example cutFraction(0.62499); // 0.6249
 */
export function cutFraction(value: number): number {
  const step = Math.floor(value * steps + noise) / steps;
  // The noise may have rounded up a value that is below the step.
  return step > value ? (Math.round(step * steps) - 1) / steps : step;
}

/**
 * Raises a threshold to the next number of four decimals.
 *
 * @example raiseThreshold(0.25 + 0.125 * Math.log10(300 / 0.01)); // 0.8097, of 0.80964…
 */
export function raiseThreshold(value: number): number {
  // Without the sum, 0 would be −0.
  return Math.ceil(value * steps - noise) / steps + 0;
}

/**
 * Cuts an angle in degrees to two decimals, towards 0.
 *
 * @example cutDegrees(-11.996); // -11.99, still the front
 */
export function cutDegrees(value: number): number {
  // Without the sum, small negative angles would be −0.
  return Math.trunc(value * angleSteps) / angleSteps + 0;
}
