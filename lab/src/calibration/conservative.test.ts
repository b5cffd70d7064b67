import { parseCurve } from '@wajah/engine';
import { expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { conservativeKnots } from './conservative.ts';
import { fitCurve } from './curve.ts';

it('a conservative curve claims no less than any region measures, less the margin', () => {
  const { normal } = seeded('conservative');
  const scores = (count: number, mean: number) =>
    Float64Array.from({ length: count }, () => mean + 0.1 * normal()).sort();
  const { knots } = fitCurve(scores(100_000, 0));
  const region = scores(20_000, 0.06);
  const comparison = conservativeKnots(knots, [region, scores(50, 0.2)]);
  expect(parseCurve({ pack: 'test', evidence: {}, knots, comparison }).comparison).toEqual(comparison);
  for (const [score, log10Fmr] of comparison.filter(([, log]) => log < 0 && log > -3)) {
    const share = region.filter((one) => one >= score).length / region.length;
    expect(Math.log10(share) - log10Fmr).toBeLessThanOrEqual(0.3);
  }
  const own = new Map(knots);
  for (const [score, log10Fmr] of comparison) expect(log10Fmr).toBeGreaterThanOrEqual(own.get(score) ?? 0);
});
