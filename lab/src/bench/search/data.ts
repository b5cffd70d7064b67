/** Synthetic templates of length 1; the same for the same size. */
export interface Data {
  readonly dimensions: number;
  readonly count: number;
  /** Row-major. */
  readonly rows: Float32Array;
  readonly probes: Float32Array[];
}

/** Mean and standard deviation of the cosine of a genuine pair, as of a good embedding of two ordinary pictures. */
const mated = { mean: 0.6, spread: 0.09 };

/** @returns vectors whose even probes are mated with a row and whose odd probes are not */
export function drawData(count: number, dimensions: number, probes: number): Data {
  const random = xorshift(count + dimensions);
  const rows = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) draw(random, rowOf({ rows, dimensions }, row));
  return {
    dimensions,
    count,
    rows,
    probes: Array.from({ length: probes }, (_, i) => {
      const direction = draw(random, new Float32Array(dimensions));
      if (i % 2 === 1) return direction;
      const row = rowOf({ rows, dimensions }, Math.floor((random() / 2 ** 32) * count));
      const cosine = mated.mean + mated.spread * normal(random);
      // In high dimensions two random directions are nearly orthogonal.
      return normalised(row.map((value, d) => cosine * value + Math.sqrt(1 - cosine ** 2) * direction[d]!));
    }),
  };
}

export function rowOf({ rows, dimensions }: Pick<Data, 'rows' | 'dimensions'>, row: number): Float32Array {
  return rows.subarray(row * dimensions, (row + 1) * dimensions);
}

function draw(random: () => number, values: Float32Array): Float32Array {
  for (let d = 0; d < values.length; d++) values[d] = normal(random);
  return normalised(values);
}

/** In place. */
function normalised(values: Float32Array): Float32Array {
  let sum = 0;
  for (let d = 0; d < values.length; d++) sum += values[d]! ** 2;
  const norm = Math.sqrt(sum);
  for (let d = 0; d < values.length; d++) values[d]! /= norm;
  return values;
}

/** The sum of twelve uniform numbers is nearly normal (Irwin–Hall); eight bits each are enough here. */
function normal(random: () => number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    const bits = random();
    sum += (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
  }
  return sum / 256 - 6;
}

/** Marsaglia's xorshift32. @returns whole numbers below 2^32 */
function xorshift(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
