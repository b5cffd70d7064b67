/** Columns of a design matrix, each with one value for every observation. */
export type Columns = readonly Float64Array[];

/** Added to the diagonal, as a share of it: two columns may be nearly equal. */
const RIDGE = 1e-6;

/**
 * Weighted linear least squares by the normal equations (Cholesky).
 * @param weights one for every observation, 0 or more
 * @returns one coefficient for each column
 */
export function fitColumns(columns: Columns, values: Float64Array, weights: Float64Array): number[] {
  const right = columns.map((column) => weightedDot(column, values, weights));
  const gram = columns.map((a) => columns.map((b) => weightedDot(a, b, weights)));
  return solvePositive(gram, right);
}

export function weightedMean(values: Float64Array, weights: Float64Array): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += weights[i]! * values[i]!;
    total += weights[i]!;
  }
  return sum / total;
}

/** Σ w·a·b */
function weightedDot(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += weights[i]! * a[i]! * b[i]!;
  return sum;
}

/** Solves a symmetric positive definite system, with a small ridge. */
function solvePositive(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const n = right.length;
  const lower = matrix.map((row) => [...row]);
  const solved = [...right];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]! + (i === j ? RIDGE * matrix[i]![i]! + 1e-12 : 0);
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!;
      lower[i]![j] = i === j ? Math.sqrt(Math.max(sum, 1e-18)) : sum / lower[j]![j]!;
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) solved[i]! -= lower[i]![k]! * solved[k]!;
    solved[i]! /= lower[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) solved[i]! -= lower[k]![i]! * solved[k]!;
    solved[i]! /= lower[i]![i]!;
  }
  return solved;
}
