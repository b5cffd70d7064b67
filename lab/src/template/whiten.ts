import { symmetricEigen } from '../learn/eigen.ts';

/** Vectors of one length, and their weights. */
export interface Weighted {
  readonly rows: readonly Float32Array[];
  readonly weights: readonly number[];
}

/** Settings of a whitening transform. */
export interface Whitening {
  /** Share of the mean that is subtracted, 0…1. */
  readonly centring: number;
  /** Directions are scaled by their variance to the power of minus this: 0 leaves them, 0.5 equalises them. */
  readonly exponent: number;
  /** Shrinkage of each direction's variance towards the mean variance, 0…1. */
  readonly shrinkage: number;
  /** Number of leading directions that are kept. */
  readonly keep: number;
}

/** Subtracted mean, and rows of the matrix that is applied after it. */
export interface Whitened {
  readonly centre: Float32Array;
  readonly matrix: Float32Array;
}

/** Fits a whitening transform to vectors without using identities. */
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
