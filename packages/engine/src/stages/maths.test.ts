import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecewiseLinear } from './maths.ts';

const curve = { from: [-10, 0, 20], to: [-20, 0, 10] };

describe('piecewiseLinear', () => {
  it('passes through its points, linear between them and beyond', () => {
    for (const [x, y] of [
      [-10, -20],
      [0, 0],
      [20, 10],
      [-5, -10],
      [10, 5],
      [-20, -40],
      [40, 20],
    ] as const) {
      expect(piecewiseLinear(curve, x)).toBeCloseTo(y, 9);
    }
  });

  it('is continuous, and rises where its points rise', () => {
    fc.assert(
      fc.property(fc.double({ min: -90, max: 90, noNaN: true }), (x) => {
        const step = piecewiseLinear(curve, x + 0.01) - piecewiseLinear(curve, x);
        expect(step).toBeGreaterThan(0);
        expect(step).toBeLessThan(0.03);
      }),
    );
  });
});
