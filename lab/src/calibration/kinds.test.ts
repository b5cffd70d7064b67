import { innerProduct, parseCurve } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { countAtLeast, rate, thresholdAtFmr } from '../metrics/scores.ts';
import { seeded } from '../recapture/random.ts';
import { fitKind, impostorScores, type KindSample, ofOthers } from './kinds.ts';

/** Unit vectors of 12 values: 300 people of whom every fifth shares a direction, the others a little of its opposite. */
function crowd(): KindSample[] {
  const { normal } = seeded('kinds');
  return Array.from({ length: 300 }, (_, i) => {
    const ofKind = i % 5 === 0;
    const values = Array.from({ length: 12 }, (_, k) => normal() + (k > 0 ? 0 : ofKind ? 2.5 : -0.7));
    const length = Math.hypot(...values);
    const template = Float32Array.from(values, (value) => value / length);
    return { identity: `person ${i}`, template, ofKind, group: 'all' };
  });
}

describe('fitKind', () => {
  const samples = crowd();
  const fitted = fitKind('people who are alike', samples);
  const product = (i: number, j: number) => innerProduct(samples[i]!.template, samples[j]!.template);
  const both = (a: KindSample, b: KindSample) => a.ofKind && b.ofKind;
  const one = (a: KindSample, b: KindSample) => a.ofKind !== b.ofKind;

  /** FMR of some pairs at the threshold that claims 1 in 100 of others. */
  const within = (counts: typeof both, score: typeof fitted.score) => {
    const threshold = thresholdAtFmr(impostorScores(samples, score, ofOthers), 1e-2);
    return rate(countAtLeast(impostorScores(samples, score, counts), threshold));
  };

  it('makes the claim of others hold where both are of the kind, and where one is', () => {
    expect(within(both, product)).toBeGreaterThan(0.05);
    expect(within(one, product)).toBeLessThan(0.005);
    for (const counts of [both, one]) {
      expect(within(counts, fitted.score)).toBeLessThan(0.012);
      expect(within(counts, fitted.score)).toBeGreaterThan(0.005);
    }
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
    const others = samples.filter(({ ofKind }) => !ofKind);
    expect(() => fitKind('nobody', others)).toThrow('both classes');
  });
});
