import { symmetricEigen } from '../learn/eigen.ts';

/** Vectors of one length, and how much each counts. */
export interface Weighted {
  readonly rows: readonly Float32Array[];
  readonly weights: readonly number[];
}

/** How a network's unit-length answers are turned into a part of the template. */
export interface Whitening {
  /** Share of the mean that is taken away: 0 nothing, 1 all. */
  readonly centring: number;
  /** Directions are scaled by their variance to the power of minus this: 0 as they are, 0.5 all alike. */
  readonly exponent: number;
  /** Share of the mean variance that each direction's variance is drawn to. */
  readonly shrinkage: number;
  /** Leading directions that are kept. */
  readonly keep: number;
}

/** What is taken away, and the rows of the matrix that comes after. */
export interface Whitened {
  readonly centre: Float32Array;
  readonly matrix: Float32Array;
}

/** Fits a whitening to vectors; nothing in it tells one person from another. */
export function whiten({ rows, weights }: Weighted, whitening: Whitening): Whitened {
  const width = rows[0]!.length;
  const mean = meanOf(rows, weights, width);
  const { values, vectors } = symmetricEigen(covariance(rows, weights, mean), width);
  const { centring, exponent, shrinkage, keep } = whitening;
  const even = values.reduce((sum, value) => sum + value, 0) / width;
  const matrix = new Float32Array(keep * width);
  for (let row = 0; row < keep; row++) {
    const variance = (1 - shrinkage) * Math.max(0, values[row]!) + shrinkage * even;
    const by = (variance / even) ** -exponent;
    for (let i = 0; i < width; i++) matrix[row * width + i] = by * vectors[row * width + i]!;
  }
  return { centre: Float32Array.from(mean, (value) => centring * value), matrix };
}

function meanOf(rows: readonly Float32Array[], weights: readonly number[], width: number): Float64Array {
  const mean = new Float64Array(width);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  rows.forEach((row, r) => {
    for (let i = 0; i < width; i++) mean[i]! += (weights[r]! / total) * row[i]!;
  });
  return mean;
}

function covariance(
  rows: readonly Float32Array[],
  weights: readonly number[],
  mean: Float64Array,
): Float64Array {
  const width = mean.length;
  const sums = new Float64Array(width * width);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  rows.forEach((row, r) => {
    const away = Float64Array.from(row, (value, i) => value - mean[i]!);
    const weight = weights[r]! / total;
    for (let i = 0; i < width; i++) {
      const by = weight * away[i]!;
      for (let j = 0, at = i * width; j <= i; j++, at++) sums[at]! += by * away[j]!;
    }
  });
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) sums[j * width + i] = sums[i * width + j]!;
  return sums;
}
