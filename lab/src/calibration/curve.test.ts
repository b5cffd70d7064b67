import { parseCurve, similarityOf } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { fitCurve } from './curve.ts';

/** Bell-shaped scores around 0.3. */
function impostors(count: number, seed: string): Float64Array {
  const random = seeded(seed);
  return Float64Array.from({ length: count }, () => 0.3 + 0.09 * random.normal()).sort();
}

describe('fitCurve', () => {
  const scores = impostors(200_000, 'curve');
  const fitted = fitCurve(scores);
  const curve = parseCurve({ pack: 'test', evidence: {}, knots: fitted.knots });

  it('is a curve that the engine reads: rising scores, falling rates', () => {
    expect(fitted.knots.length).toBeGreaterThan(20);
  });

  it('gives the similarity of the share of pairs at or above a score', () => {
    for (const share of [0.5, 0.1, 1e-2, 1e-3]) {
      const score = scores[scores.length - Math.round(scores.length * share)]!;
      expect(similarityOf(curve, score)).toBeCloseTo(0.25 - 0.125 * Math.log10(share), 2);
    }
  });

  it('reports where its evidence ends, and claims a higher FMR than the true one beyond', () => {
    expect(fitted.evidenceEnd.log10Fmr).toBeGreaterThan(Math.log10(30 / scores.length) - 0.01);
    const many = impostors(4_000_000, 'more');
    const score = many[many.length - 12]!;
    expect(score).toBeGreaterThan(fitted.evidenceEnd.innerProduct);
    expect(similarityOf(curve, score)).toBeLessThan(0.25 - 0.125 * Math.log10(12 / many.length));
  });

  it('refuses too few pairs', () => {
    expect(() => fitCurve(impostors(1000, 'few'))).toThrow('too few');
  });
});
