/** Mean and standard deviation of each column. NaN marks a value that the picture does not determine. */
export interface Columns {
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

/** The engine clamps values to this many standard deviations. */
const CLAMP = 4;

/** Statistics of each column over its known values. */
export function columnsOf(rows: readonly (readonly number[])[]): Columns {
  const width = rows[0]!.length;
  const mean: number[] = [];
  const spread: number[] = [];
  for (let j = 0; j < width; j++) {
    const known = rows.map((row) => row[j]!).filter((value) => !Number.isNaN(value));
    const middle = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
    const variance = known.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, known.length);
    mean.push(round(middle));
    spread.push(round(Math.sqrt(variance)) || 1);
  }
  return { mean, spread };
}

/** A row as the engine standardises it: deviations from the mean, clamped; 0 for NaN. */
export function deviations(row: readonly number[], { mean, spread }: Columns): Float64Array {
  return Float64Array.from(row, (value, j) => {
    if (Number.isNaN(value)) return 0;
    return Math.max(-CLAMP, Math.min(CLAMP, (value - mean[j]!) / spread[j]!));
  });
}

const round = (value: number) => Number(value.toPrecision(6));
