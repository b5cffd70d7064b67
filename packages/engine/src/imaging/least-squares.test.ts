import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineColumns, fitColumns, solveLinear } from './least-squares.ts';

const entry = fc.double({ min: -10, max: 10, noNaN: true });
const vector = fc.array(entry, { minLength: 4, maxLength: 4 });

describe('solveLinear', () => {
  it('finds the solution of a system, whatever the order of its rows', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 4, maxLength: 4 }), vector, (rows, solution) => {
        // Each row has its largest entry in another column, so the matrix is not singular.
        const matrix = rows.map((row, i) =>
          Float64Array.from(row, (value, k) => (k === (i + 1) % 4 ? 50 : value)),
        );
        const right = Float64Array.from(matrix, (row) =>
          row.reduce((sum, value, k) => sum + value * solution[k]!, 0),
        );
        const found = solveLinear(matrix, right)!;
        for (const [k, value] of solution.entries()) expect(found[k]).toBeCloseTo(value, 9);
      }),
    );
  });

  it('finds none where the matrix is singular or not a number', () => {
    const right = Float64Array.of(1, 2);
    expect(solveLinear([Float64Array.of(1, 2), Float64Array.of(2, 4)], right)).toBeUndefined();
    expect(solveLinear([Float64Array.of(Number.NaN, 2), Float64Array.of(2, 4)], right)).toBeUndefined();
  });
});

describe('fitColumns', () => {
  const x = [0, 1, 2, 3, 4, 5];
  const columns = [x.map(() => 1), x, x.map((value) => value ** 2)];

  it('recovers the coefficients of a combination, and ignores observations without weight', () => {
    fc.assert(
      fc.property(entry, entry, entry, entry, (a, b, c, wrong) => {
        const values = combineColumns(columns, [a, b, c]);
        values[2] = wrong;
        const fitted = fitColumns(columns, values, [1, 2, 0, 1, 3, 1], 0);
        for (const [k, value] of [a, b, c].entries()) expect(fitted[k]).toBeCloseTo(value, 8);
      }),
    );
  });

  it('is 0 where the observations determine nothing', () => {
    expect([...fitColumns(columns, x, [0, 0, 0, 0, 0, 0])]).toEqual([0, 0, 0]);
    const [zero, slope] = fitColumns([x.map(() => 0), x], x, columns[0]!, 0);
    expect([zero, slope]).toEqual([0, expect.closeTo(1, 9)]);
  });
});
