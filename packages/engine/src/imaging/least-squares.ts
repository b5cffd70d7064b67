/** Columns of a design matrix, each with one value for every observation. */
export type Columns = readonly ArrayLike<number>[];

/** Share of its own square that is added for each column: two columns may be nearly equal. */
const RIDGE = 1e-6;
/** A pivot at or below it counts as 0. */
const SINGULAR = 1e-12;

/**
 * Weighted linear least squares by the normal equations.
 * @param weights one for every observation, 0 or more
 * @param ridge share of its own square that is added for each column
 * @returns one coefficient for each column; 0 for a column of zeros, and all 0 where nothing is determined
 */
export function fitColumns(
  columns: Columns,
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  ridge: number = RIDGE,
): Float64Array {
  const gram = columns.map((a) => Float64Array.from(columns, (b) => weightedDot(a, b, weights)));
  // Above the limit of a pivot, so that a column of zeros leaves the others determined.
  for (const [i, row] of gram.entries()) row[i]! += ridge * row[i]! + 2 * SINGULAR;
  const right = Float64Array.from(columns, (column) => weightedDot(column, values, weights));
  return solveLinear(gram, right) ?? new Float64Array(columns.length);
}

/** The sum of the columns times their coefficients, for each observation. */
export function combineColumns(columns: Columns, coefficients: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(columns[0]!.length);
  for (const [i, column] of columns.entries()) {
    for (let k = 0; k < sums.length; k++) sums[k]! += coefficients[i]! * column[k]!;
  }
  return sums;
}

/** Σ w·a·b */
function weightedDot(a: ArrayLike<number>, b: ArrayLike<number>, weights: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += weights[i]! * a[i]! * b[i]!;
  return sum;
}

/**
 * Solves a small system of linear equations by Gauss–Jordan elimination with pivoting.
 * @param matrix its rows @param right one value for each row
 * @returns undefined when the matrix is singular
 */
export function solveLinear(matrix: readonly Float64Array[], right: Float64Array): Float64Array | undefined {
  const n = right.length;
  const rows = matrix.map((row, i) => Float64Array.of(...row, right[i]!));
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const lead = rows[column]!;
    if (!(Math.abs(lead[column]!) > SINGULAR)) return undefined;
    for (const [r, row] of rows.entries()) {
      if (r === column) continue;
      const factor = row[column]! / lead[column]!;
      for (let k = column; k <= n; k++) row[k]! -= factor * lead[k]!;
    }
  }
  return Float64Array.from(rows, (row, i) => row[n]! / row[i]!);
}
