import { piecewiseLinear } from '@wajah/engine/training';
import { describe, expect, it } from 'vitest';
import { fitPiecewiseLinear } from './piecewise-linear.ts';

const places = [-40, -20, 0, 20, 40];
const spread = Array.from({ length: 81 }, (_, i) => i - 40);

describe('fitPiecewiseLinear', () => {
  it('finds a smooth curve that the aims lie on', () => {
    const bend = fitPiecewiseLinear(
      places,
      spread.map((x) => ({ x, target: 0.9 * x + 2 })),
    );
    for (const x of [-35, -3, 0, 12, 30]) expect(piecewiseLinear(bend, x)).toBeCloseTo(0.9 * x + 2, 0);
  });

  it('respects bounds where they are given', () => {
    const aims = spread.map((x) => ({ x, target: 0.8 * x }));
    const held = aims.map((aim) => (aim.x > 15 && aim.x < 25 ? { ...aim, min: 20 } : aim));
    const at = 20;
    expect(piecewiseLinear(fitPiecewiseLinear(places, held), at)).toBeGreaterThan(
      piecewiseLinear(fitPiecewiseLinear(places, aims), at) + 1.5,
    );
  });

  it('never decreases', () => {
    const bend = fitPiecewiseLinear(
      places,
      spread.map((x) => ({ x, target: -x })),
    );
    for (const x of spread) expect(piecewiseLinear(bend, x + 1)).toBeGreaterThan(piecewiseLinear(bend, x));
  });
});
