import { piecewiseLinear } from '@wajah/engine/training';
import { describe, expect, it } from 'vitest';
import { fitBend } from './bend.ts';

const places = [-40, -20, 0, 20, 40];
const spread = Array.from({ length: 81 }, (_, i) => i - 40);

describe('fitBend', () => {
  it('finds a smooth curve that the aims lie on', () => {
    const bend = fitBend(
      places,
      spread.map((x) => ({ x, wanted: 0.9 * x + 2 })),
    );
    for (const x of [-35, -3, 0, 12, 30]) expect(piecewiseLinear(bend, x)).toBeCloseTo(0.9 * x + 2, 0);
  });

  it('is pulled inside the bounds where they are known', () => {
    const aims = spread.map((x) => ({ x, wanted: 0.8 * x }));
    const held = aims.map((aim) => (aim.x > 15 && aim.x < 25 ? { ...aim, least: 20 } : aim));
    const at = 20;
    expect(piecewiseLinear(fitBend(places, held), at)).toBeGreaterThan(
      piecewiseLinear(fitBend(places, aims), at) + 1.5,
    );
  });

  it('never falls', () => {
    const bend = fitBend(
      places,
      spread.map((x) => ({ x, wanted: -x })),
    );
    for (const x of spread) expect(piecewiseLinear(bend, x + 1)).toBeGreaterThan(piecewiseLinear(bend, x));
  });
});
