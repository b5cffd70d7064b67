/** How a spoof feature is brought to a common scale; a NaN is a feature that the picture cannot tell. */
export interface Columns {
  readonly mean: readonly number[];
  readonly spread: readonly number[];
}

/** The engine stops listening to a feature beyond this many deviations. */
const CLAMP = 4;

/** Mean and standard deviation of each column where it is known. */
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

/** A row as the engine sees it: deviations from the mean, clamped; what is not known is 0. */
export function deviations(row: readonly number[], { mean, spread }: Columns): Float64Array {
  return Float64Array.from(row, (value, j) => {
    if (Number.isNaN(value)) return 0;
    return Math.max(-CLAMP, Math.min(CLAMP, (value - mean[j]!) / spread[j]!));
  });
}

const round = (value: number) => Number(value.toPrecision(6));
