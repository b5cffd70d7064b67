/** Mean and standard deviation. */
export interface Moments {
  readonly mean: number;
  readonly spread: number;
}

/** Of all values of a plane. */
export function moments(plane: Float32Array): Moments {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i]!;
  const mean = sum / plane.length;
  for (let i = 0; i < plane.length; i++) squares += (plane[i]! - mean) ** 2;
  return { mean, spread: Math.sqrt(squares / plane.length) };
}
