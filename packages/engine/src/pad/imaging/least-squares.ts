/** Of each squared length of a column, added to it: columns that depend on each other do no harm. */
const RIDGE = 1e-6;

/** Weights of the columns whose sum comes closest to the wanted values (least squares, by the normal equations). */
export function solve(rows: readonly (readonly number[])[], wanted: readonly number[]): number[] {
  const width = rows[0]!.length;
  const system = Array.from({ length: width }, (_, j) => {
    const line = Array.from({ length: width }, (_, k) => dot(rows, (row) => row[j]! * row[k]!));
    line[j]! += RIDGE * line[j]! + 1e-12;
    return [...line, dot(rows, (row, i) => row[j]! * wanted[i]!)];
  });
  return eliminate(system, width);
}

function dot<T>(rows: readonly T[], of: (row: T, i: number) => number): number {
  let sum = 0;
  rows.forEach((row, i) => {
    sum += of(row, i);
  });
  return sum;
}

/** Gauss–Jordan with the largest pivot. */
function eliminate(system: number[][], width: number): number[] {
  for (let j = 0; j < width; j++) {
    let pivot = j;
    for (let i = j + 1; i < width; i++) {
      if (Math.abs(system[i]![j]!) > Math.abs(system[pivot]![j]!)) pivot = i;
    }
    [system[j], system[pivot]] = [system[pivot]!, system[j]!];
    const own = system[j]!;
    for (let i = 0; i < width; i++) {
      if (i === j) continue;
      const by = system[i]![j]! / own[j]!;
      system[i] = system[i]!.map((value, k) => value - by * own[k]!);
    }
  }
  return system.map((line, j) => line[width]! / line[j]!);
}

/**
 * How much of the spread of the values the columns explain, less what as many columns of chance would (adjusted R², 1 at
 * most, below 0 when they say nothing), and the standard deviation of what is left over.
 */
export function explained(
  rows: readonly (readonly number[])[],
  wanted: readonly number[],
): { share: number; leftOver: number } {
  const weights = solve(rows, wanted);
  const mean = wanted.reduce((sum, value) => sum + value, 0) / wanted.length;
  const left = rows.reduce(
    (sum, row, i) => sum + (wanted[i]! - row.reduce((part, value, j) => part + value * weights[j]!, 0)) ** 2,
    0,
  );
  const all = wanted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const free = (wanted.length - 1) / (wanted.length - weights.length);
  return { share: 1 - (left / (all + 1e-6)) * free, leftOver: Math.sqrt(left / wanted.length) };
}
