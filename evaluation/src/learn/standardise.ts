/** Mean and spread of each column. */
export interface ColumnStatistics {
  readonly mean: Float64Array;
  /** Standard deviation, 1 where a column does not vary. */
  readonly spread: Float64Array;
}

/** Weighted mean and standard deviation of each column. */
export function columnStatistics(
  rows: readonly ArrayLike<number>[],
  weights: ArrayLike<number>,
): ColumnStatistics {
  const width = rows[0]!.length;
  const mean = new Float64Array(width);
  const spread = new Float64Array(width);
  let total = 0;
  rows.forEach((row, i) => {
    total += weights[i]!;
    for (let j = 0; j < width; j++) mean[j]! += weights[i]! * row[j]!;
  });
  for (let j = 0; j < width; j++) mean[j]! /= total;
  rows.forEach((row, i) => {
    for (let j = 0; j < width; j++) spread[j]! += weights[i]! * (row[j]! - mean[j]!) ** 2;
  });
  for (let j = 0; j < width; j++) {
    const deviation = Math.sqrt(spread[j]! / total);
    spread[j] = deviation > 1e-9 ? deviation : 1;
  }
  return { mean, spread };
}

/** (row − mean) / spread, column by column. */
export function standardise(row: ArrayLike<number>, scale: ColumnStatistics): Float64Array {
  return Float64Array.from(scale.mean, (mean, j) => (row[j]! - mean) / scale.spread[j]!);
}
