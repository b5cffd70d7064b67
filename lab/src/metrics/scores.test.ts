import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  balancedAccuracy,
  countAtLeast,
  countBelow,
  fnmrAtFmr,
  rate,
  rocArea,
  thresholdAtFmr,
} from './scores.ts';

const scores = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 40 });

describe('rocArea', () => {
  it('is 1, 0 and a half for perfect, inverted and equal scores', () => {
    expect(rocArea([3, 4], [1, 2])).toBe(1);
    expect(rocArea([1, 2], [3, 4])).toBe(0);
    expect(rocArea([1, 1], [1, 1, 1])).toBe(0.5);
  });

  it('equals counting all pairs', () => {
    fc.assert(
      fc.property(scores, scores, (up, down) => {
        let wins = 0;
        for (const a of up) for (const b of down) wins += a > b ? 1 : a === b ? 0.5 : 0;
        expect(rocArea(up, down)).toBeCloseTo(wins / up.length / down.length, 12);
      }),
    );
  });

  it('refuses an empty side', () => {
    expect(() => rocArea([], [1])).toThrow(RangeError);
  });
});

describe('thresholdAtFmr', () => {
  it('keeps the FMR at or below the limit, and one step lower exceeds it', () => {
    fc.assert(
      fc.property(scores, fc.double({ min: 0, max: 1, noNaN: true }), (values, fmr) => {
        const sorted = Float64Array.from(values).sort();
        const threshold = thresholdAtFmr(sorted, fmr);
        expect(rate(countAtLeast(sorted, threshold))).toBeLessThanOrEqual(fmr);
        const lower = sorted.findLast((value) => value < threshold);
        if (lower !== undefined) expect(rate(countAtLeast(sorted, lower))).toBeGreaterThan(fmr);
      }),
    );
  });

  it('counts the genuine pairs that fall below', () => {
    const impostors = Float32Array.from({ length: 100 }, (_, i) => i / 100);
    const point = fnmrAtFmr([0.5, 0.97, 0.99, 2], impostors, 0.02);
    expect(countAtLeast(impostors, point.threshold).events).toBe(2);
    expect(point.falseNonMatches).toEqual({ events: 2, trials: 4 });
  });
});

describe('balancedAccuracy', () => {
  it('weights both classes equally', () => {
    expect(balancedAccuracy([1, 1, 1, 0], [0], 0.5)).toBeCloseTo((0.75 + 1) / 2);
  });

  it('counts each score on exactly one side', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: -20, max: 20 }), (values, threshold) => {
        expect(countAtLeast(values, threshold).events + countBelow(values, threshold).events).toBe(
          values.length,
        );
      }),
    );
  });
});
