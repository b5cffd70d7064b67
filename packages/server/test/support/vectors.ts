/** Vectors for which exact search is easy, and adversarial ones. */
export const vectorKinds = [
  'spread',
  'clustered',
  'duplicate',
  'zero',
  'tied',
  'near',
  'uneven',
  'spiked',
] as const;
export type VectorKind = (typeof vectorKinds)[number];

/** mulberry32. @returns numbers from 0 to 1 */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Normally distributed values, of unit length. */
export function unitVector(random: () => number, dimensions: number): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => normal(random));
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** @returns `count` rows and, last, a probe */
export function drawVectors(
  kind: VectorKind,
  seed: number,
  dimensions: number,
  count: number,
): Float32Array[] {
  const random = randomNumbers(seed);
  const centre = unitVector(random, dimensions);
  const ulps = (values: Float32Array) =>
    values.map((value) => value * (1 + Math.floor(random() * 3) * 2 ** -23));
  const draw: Record<VectorKind, () => Float32Array> = {
    spread: () => unitVector(random, dimensions),
    // As templates of one person: nearly the same direction.
    clustered: () => unitVector(random, dimensions).map((value, i) => centre[i]! + value * 0.02),
    duplicate: () => (random() < 0.9 ? centre : unitVector(random, dimensions)),
    zero: () => new Float32Array(dimensions),
    // Whole numbers, whose sums are exact and often equal.
    tied: () => Float32Array.from({ length: dimensions }, () => Math.floor(random() * 3) - 1),
    // Different in the last bits of float32, far below the resolution of the codes.
    near: () => ulps(centre),
    uneven: () => unitVector(random, dimensions).map((value) => value * 10 ** (random() < 0.5 ? -3 : 3)),
    // One value determines the scale, and the others are quantized to zero.
    spiked: () => unitVector(random, dimensions).map((value, i) => (i === 0 ? 1 : value / 250)),
  };
  return Array.from({ length: count + 1 }, draw[kind]);
}
