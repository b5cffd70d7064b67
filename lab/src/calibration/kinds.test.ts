import { parseCurve } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { countAtLeast, rate, thresholdAtFmr } from '../metrics/scores.ts';
import { seeded } from '../recapture/random.ts';
import { fitKind, impostorScores, type KindSample, ofEverybody, products } from './kinds.ts';

/** Unit vectors of 12 values: 300 people of whom every fifth shares a direction. */
function crowd(): KindSample[] {
  const { normal } = seeded('kinds');
  return Array.from({ length: 300 }, (_, i) => {
    const group = i % 5 === 0 ? 'alike' : null;
    const values = Array.from({ length: 12 }, (_, k) => normal() + (k === 0 && group ? 2.5 : 0));
    const length = Math.hypot(...values);
    const template = Float32Array.from(values, (value) => value / length);
    return { identity: `person ${i}`, template, group, everybody: true };
  });
}

describe('fitKind', () => {
  const samples = crowd();
  const fitted = fitKind('people who are alike', samples, products(samples));
  const alike = (a: KindSample, b: KindSample) => a.group !== null && a.group === b.group;

  /** FMR among people who are alike at the threshold that claims 1 in 100 of everybody. */
  const within = (score: typeof fitted.score) => {
    const threshold = thresholdAtFmr(impostorScores(samples, score, ofEverybody), 1e-2);
    return rate(countAtLeast(impostorScores(samples, score, alike), threshold));
  };

  it('makes the claim of everybody hold among people who are alike', () => {
    expect(within(products(samples))).toBeGreaterThan(0.05);
    expect(within(fitted.score)).toBeLessThanOrEqual(0.01);
    expect(within(fitted.score)).toBeGreaterThan(0.006);
  });

  it('gives a kind that the engine reads', () => {
    const knots = [
      [0, 0],
      [1, -6],
    ];
    const curve = parseCurve({ pack: 'p', evidence: {}, knots, comparison: { knots, kinds: [fitted.kind] } });
    expect(curve.comparison?.kinds).toEqual([fitted.kind]);
  });

  it('needs people of the kind', () => {
    const others = samples.filter(({ group }) => group === null);
    expect(() => fitKind('nobody', others, products(others))).toThrow('both classes');
  });
});
