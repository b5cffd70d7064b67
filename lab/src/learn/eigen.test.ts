import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { symmetricEigen } from './eigen.ts';

/** AᵀA of random numbers, of the given rank at most. */
function gram(size: number, rank: number, seed: string): Float64Array {
  const random = seeded(seed);
  const rows = Array.from({ length: rank }, () => Float64Array.from({ length: size }, () => random.normal()));
  const matrix = new Float64Array(size * size);
  for (const row of rows) {
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) matrix[i * size + j]! += row[i]! * row[j]!;
  }
  return matrix;
}

describe('eigenOf', () => {
  it('decomposes every symmetric matrix into orthonormal eigenvectors', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 30 }), (size, rank) => {
        const matrix = gram(size, rank, `${size}/${rank}`);
        const { values, vectors } = symmetricEigen(matrix, size);
        for (let i = 0; i < size; i++) {
          for (let j = 0; j < size; j++) {
            let [again, dot] = [0, 0];
            for (let k = 0; k < size; k++) {
              again += values[k]! * vectors[k * size + i]! * vectors[k * size + j]!;
              dot += vectors[i * size + k]! * vectors[j * size + k]!;
            }
            expect(again).toBeCloseTo(matrix[i * size + j]!, 8);
            expect(dot).toBeCloseTo(i === j ? 1 : 0, 10);
          }
        }
        expect([...values]).toEqual([...values].sort((a, b) => b - a));
      }),
      { numRuns: 40 },
    );
  });

  it('refuses a matrix with values that are not finite', () => {
    expect(() => symmetricEigen(Float64Array.of(1, Number.NaN, Number.NaN, 1), 2)).toThrow(RangeError);
  });
});
