import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainKernel } from './plain-kernel.ts';

/** Small whole numbers, so that sums are exact in whatever order they are made, and ties are common. */
const whole = fc.integer({ min: -3, max: 3 });

const tables = fc.integer({ min: 1, max: 11 }).chain((dimensions) => {
  const vector = fc.array(whole, { minLength: dimensions, maxLength: dimensions });
  return fc.record({ vectors: fc.array(vector, { minLength: 1, maxLength: 40 }), probe: vector });
});

it('finds the k best and all that tie with the last of them', () => {
  fc.assert(
    fc.property(tables, fc.integer({ min: 1, max: 50 }), ({ vectors, probe }, wanted) => {
      const k = Math.min(wanted, vectors.length);
      const table = plainKernel(probe.length, 0);
      for (const [row, vector] of vectors.entries()) table.write(row, Float32Array.from(vector));
      const scores = vectors.map((vector) => vector.reduce((sum, x, i) => sum + x * probe[i]!, 0));
      const least = scores.toSorted((a, b) => b - a)[k - 1]!;
      const expected = scores.flatMap((score, row) => (score >= least ? [{ row, score }] : []));
      const found = table.best(vectors.length, Float32Array.from(probe), k);
      expect(found.toSorted((a, b) => a.row - b.row)).toEqual(expected);
    }),
  );
});

it('scans only the rows that it is told of', () => {
  const table = plainKernel(1, 4);
  for (const [row, value] of [1, 2, 3].entries()) table.write(row, Float32Array.of(value));
  table.copy(2, 0);
  table.erase(2);
  expect(table.best(2, Float32Array.of(1), 1)).toEqual([{ row: 0, score: 3 }]);
  expect(table.best(0, Float32Array.of(1), 1)).toEqual([]);
});
