/** Eigenvalues, descending, and the unit eigenvectors in the same order: vector i is `vectors[i * size …]`. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

const MOST_TURNS = 60;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix, row-major: Householder's reduction to three diagonals, then
 * implicit QL turns (Wilkinson & Reinsch, Handbook for Automatic Computation II, 1971, contributions 2 and 4).
 * @throws RangeError for values that are not finite
 */
export function eigenOf(symmetric: Float64Array, size: number): Eigen {
  if (!symmetric.every(Number.isFinite))
    throw new RangeError('values that are not finite have no eigenvalues');
  const a = symmetric.slice();
  const diagonal = new Float64Array(size);
  const beside = new Float64Array(size);
  const mirrors = reduce(a, size, diagonal, beside);
  const vectors = accumulate(mirrors, size);
  settle(diagonal, beside, vectors, size);
  const order = Array.from(diagonal.keys()).sort((i, j) => diagonal[j]! - diagonal[i]!);
  const sorted = new Float64Array(size * size);
  order.forEach((from, to) => {
    sorted.set(vectors.subarray(from * size, (from + 1) * size), to * size);
  });
  return { values: Float64Array.from(order, (i) => diagonal[i]!), vectors: sorted };
}

/** Clears column after column below the first subdiagonal by mirrors I − 2uuᵀ; returns them, one a row. */
function reduce(a: Float64Array, n: number, diagonal: Float64Array, beside: Float64Array): Float64Array[] {
  const mirrors: Float64Array[] = [];
  for (let k = 0; k < n - 1; k++) {
    const u = new Float64Array(n);
    for (let i = k + 1; i < n; i++) u[i] = a[i * n + k]!;
    const along = -Math.sign(u[k + 1]! || 1) * Math.hypot(...u);
    u[k + 1]! -= along;
    const length = Math.hypot(...u);
    if (length > 0) for (let i = k + 1; i < n; i++) u[i]! /= length;
    beside[k] = along;
    diagonal[k] = a[k * n + k]!;
    mirrorBothSides(a, n, u, k + 1);
    mirrors.push(u);
  }
  diagonal[n - 1] = a[n * n - 1]!;
  return mirrors;
}

/** A ← (I − 2uuᵀ) A (I − 2uuᵀ) on the part from `first` on. */
function mirrorBothSides(a: Float64Array, n: number, u: Float64Array, first: number): void {
  const p = new Float64Array(n);
  let dot = 0;
  for (let i = first; i < n; i++) {
    let sum = 0;
    for (let j = first, at = i * n + first; j < n; j++, at++) sum += a[at]! * u[j]!;
    p[i] = sum;
    dot += sum * u[i]!;
  }
  for (let i = first; i < n; i++) p[i] = 2 * (p[i]! - dot * u[i]!);
  for (let i = first; i < n; i++) {
    const ui = u[i]!;
    const pi = p[i]!;
    for (let j = first, at = i * n + first; j < n; j++, at++) a[at]! -= ui * p[j]! + pi * u[j]!;
  }
}

/** The mirrors multiplied, transposed: row i will turn into eigenvector i. */
function accumulate(mirrors: readonly Float64Array[], n: number): Float64Array {
  const q = new Float64Array(n * n);
  for (let i = 0; i < n; i++) q[i * n + i] = 1;
  for (const u of mirrors) {
    // qᵀ ← (I − 2uuᵀ) qᵀ
    const sums = new Float64Array(n);
    u.forEach((value, i) => {
      if (value !== 0) for (let j = 0, at = i * n; j < n; j++, at++) sums[j]! += value * q[at]!;
    });
    u.forEach((value, i) => {
      if (value !== 0) for (let j = 0, at = i * n; j < n; j++, at++) q[at]! -= 2 * value * sums[j]!;
    });
  }
  return q;
}

function settle(d: Float64Array, e: Float64Array, vectors: Float64Array, n: number): void {
  for (let l = 0; l < n; l++) {
    for (let turn = 0; ; turn++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) m++;
      if (m === l) break;
      if (turn >= MOST_TURNS) throw new RangeError('the eigenvalues do not settle');
      sweep(d, e, vectors, n, l, m);
    }
  }
}

/** One implicit QL step with Wilkinson's shift between rows l and m. */
function sweep(d: Float64Array, e: Float64Array, vectors: Float64Array, n: number, l: number, m: number) {
  let g = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  g = d[m]! - d[l]! + e[l]! / (g + (g >= 0 ? 1 : -1) * Math.hypot(g, 1));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i]!;
    const b = c * e[i]!;
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1]! -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1]! - p;
    const t = (d[i]! - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    turnRows(vectors, n, i, c, s);
  }
  d[l]! -= p;
  e[l] = g;
  e[m] = 0;
}

function turnRows(vectors: Float64Array, n: number, i: number, c: number, s: number): void {
  for (let k = i * n, next = k + n, end = next; k < end; k++, next++) {
    const f = vectors[next]!;
    vectors[next] = s * vectors[k]! + c * f;
    vectors[k] = c * vectors[k]! - s * f;
  }
}
