import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { whiten } from './whiten.ts';

/** Points around (5, −3), spread 4, 2 and 1 along slanted axes. */
function cloud(count: number): Float32Array[] {
  const random = seeded('cloud');
  const s = Math.SQRT1_2;
  return Array.from({ length: count }, () => {
    const [a, b, c] = [4 * random.normal(), 2 * random.normal(), random.normal()];
    return Float32Array.of(5 + s * (a - b), -3 + s * (a + b), c);
  });
}

describe('whiten', () => {
  const rows = cloud(20_000);
  const weights = rows.map(() => 1);
  const spreads = (exponent: number, keep: number) => {
    const { matrix } = whiten({ rows, weights }, { centring: 1, exponent, shrinkage: 0, keep });
    return Array.from({ length: keep }, (_, k) => {
      const along = rows.map((row) => row.reduce((sum, v, i) => sum + v * matrix[3 * k + i]!, 0));
      const mean = along.reduce((sum, v) => sum + v, 0) / along.length;
      return Math.sqrt(along.reduce((sum, v) => sum + (v - mean) ** 2, 0) / along.length);
    });
  };

  it('equalises the variance of all directions at exponent 0.5, and reduces its range at 0.25', () => {
    const [a, b, c] = spreads(0.5, 3) as [number, number, number];
    expect(b / a).toBeCloseTo(1, 5);
    expect(c / a).toBeCloseTo(1, 5);
    const [d, e] = spreads(0.25, 2) as [number, number];
    expect(d / e).toBeCloseTo(Math.SQRT2, 1);
  });

  it('subtracts the given share of the mean', () => {
    const plan = { exponent: 0, shrinkage: 0, keep: 1 };
    expect(whiten({ rows, weights }, { ...plan, centring: 0.5 }).centre[0]).toBeCloseTo(2.5, 1);
    const { centre } = whiten({ rows, weights }, { ...plan, centring: 0 });
    expect(centre.every((value) => value === 0)).toBe(true);
  });

  it('counts a row of weight 3 as three rows', () => {
    const few = rows.slice(0, 50);
    const plan = { centring: 1, exponent: 0.25, shrinkage: 0.1, keep: 3 };
    const weighted = whiten({ rows: few, weights: few.map((_, i) => (i < 10 ? 3 : 1)) }, plan);
    const repeated = few.flatMap((row, i) => (i < 10 ? [row, row, row] : [row]));
    const plain = whiten({ rows: repeated, weights: repeated.map(() => 1) }, plan);
    weighted.centre.forEach((value, i) => {
      expect(value).toBeCloseTo(plain.centre[i]!, 5);
    });
    weighted.matrix.forEach((value, i) => {
      expect(Math.abs(value)).toBeCloseTo(Math.abs(plain.matrix[i]!), 5);
    });
  });
});
