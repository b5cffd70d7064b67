import { Matrix, solve } from 'ml-matrix';

/** Least squares with a small ridge. @param rows one for each observation */
export function fitLinear(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const n = rows[0]!.length;
  const gram = Matrix.zeros(n, n);
  const right = Matrix.zeros(n, 1);
  for (const [i, row] of rows.entries()) {
    for (let a = 0; a < n; a++) {
      right.set(a, 0, right.get(a, 0) + row[a]! * values[i]!);
      for (let b = 0; b < n; b++) gram.set(a, b, gram.get(a, b) + row[a]! * row[b]!);
    }
  }
  for (let a = 0; a < n; a++) gram.set(a, a, gram.get(a, a) * (1 + 1e-6) + 1e-9);
  return solve(gram, right).to1DArray();
}
