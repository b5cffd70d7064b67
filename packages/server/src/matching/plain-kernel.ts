import type { Candidate, Kernel, VectorTable } from './kernel.ts';

const bytesPerFloat = 4;
const leastCapacity = 16;

/** One typed array, one loop. */
export const plainKernel: Kernel = (dimensions, capacity) => new PlainTable(dimensions, capacity);

class PlainTable implements VectorTable {
  readonly dimensions: number;
  #vectors: Float32Array;
  #scores = new Float64Array();

  constructor(dimensions: number, capacity: number) {
    this.dimensions = dimensions;
    this.#vectors = new Float32Array(dimensions * Math.max(leastCapacity, capacity));
  }

  get bytes(): number {
    return this.#vectors.length * bytesPerFloat + this.#scores.byteLength;
  }

  write(row: number, vector: Float32Array): void {
    const end = (row + 1) * this.dimensions;
    if (end > this.#vectors.length) this.#grow(end);
    this.#vectors.set(vector, row * this.dimensions);
  }

  copy(from: number, to: number): void {
    const start = from * this.dimensions;
    this.#vectors.copyWithin(to * this.dimensions, start, start + this.dimensions);
  }

  erase(row: number): void {
    this.#vectors.fill(0, row * this.dimensions, (row + 1) * this.dimensions);
  }

  best(count: number, probe: Float32Array, k: number): Candidate[] {
    if (this.#scores.length < count) this.#scores = new Float64Array(this.#vectors.length / this.dimensions);
    const scores = this.#scores;
    const least = scan(this.#vectors, this.dimensions, count, probe, k, scores);
    const found: Candidate[] = [];
    for (let row = 0; row < count; row++) {
      const score = scores[row]!;
      if (score >= least) found.push({ row, score });
    }
    return found;
  }

  #grow(length: number): void {
    const larger = new Float32Array(Math.max(length, Math.ceil(this.#vectors.length * 1.5)));
    larger.set(this.#vectors);
    this.#vectors.fill(0);
    this.#vectors = larger;
  }
}

/** Fills `scores`. @returns the k-th largest of them; −∞ when there are fewer */
function scan(
  vectors: Float32Array,
  dimensions: number,
  count: number,
  probe: Float32Array,
  k: number,
  scores: Float64Array,
): number {
  // The k largest so far, smallest first. k is small, so a sorted array beats a heap.
  const top = new Float64Array(k).fill(Number.NEGATIVE_INFINITY);
  for (let row = 0, at = 0; row < count; row++, at += dimensions) {
    const score = innerProduct(vectors, at, probe, dimensions);
    scores[row] = score;
    if (score > top[0]!) insert(top, score);
  }
  return top[0]!;
}

/** Drops the smallest and puts `score` in its place in the order. */
function insert(top: Float64Array, score: number): void {
  let at = 1;
  while (at < top.length && top[at]! < score) {
    top[at - 1] = top[at]!;
    at++;
  }
  top[at - 1] = score;
}

/** Four sums, for one would make each addition wait for the one before it. */
function innerProduct(vectors: Float32Array, at: number, probe: Float32Array, dimensions: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (const whole = dimensions - 3; i < whole; i += 4) {
    a += vectors[at + i]! * probe[i]!;
    b += vectors[at + i + 1]! * probe[i + 1]!;
    c += vectors[at + i + 2]! * probe[i + 2]!;
    d += vectors[at + i + 3]! * probe[i + 3]!;
  }
  for (; i < dimensions; i++) a += vectors[at + i]! * probe[i]!;
  return a + b + (c + d);
}
