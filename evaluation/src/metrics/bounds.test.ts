import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactInterval, incompleteBeta } from './bounds.ts';

describe('exactInterval', () => {
  it('agrees with published Clopper–Pearson values', () => {
    const some = exactInterval(5, 100);
    expect(some.low).toBeCloseTo(0.016432, 5);
    expect(some.high).toBeCloseTo(0.112835, 5);
    const none = exactInterval(0, 10);
    expect(none.low).toBe(0);
    expect(none.high).toBeCloseTo(0.308497, 5);
  });

  it('says nothing without trials', () => {
    expect(exactInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it('refuses impossible counts', () => {
    expect(() => exactInterval(3, 2)).toThrow(RangeError);
    expect(() => exactInterval(0.5, 2)).toThrow(RangeError);
  });

  it('contains the observed rate, mirrors, and narrows with more trials', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (trials, seed) => {
        const events = seed % (trials + 1);
        const interval = exactInterval(events, trials);
        const mirrored = exactInterval(trials - events, trials);
        expect(interval.low).toBeLessThanOrEqual(events / trials);
        expect(interval.high).toBeGreaterThanOrEqual(events / trials);
        expect(mirrored.low).toBeCloseTo(1 - interval.high, 9);
        const wider = exactInterval(events, trials);
        const narrower = exactInterval(events * 4, trials * 4);
        expect(narrower.high - narrower.low).toBeLessThan(wider.high - wider.low + 1e-9);
      }),
      { numRuns: 60 },
    );
  });
});

describe('incompleteBeta', () => {
  it('is x^a where b is 1', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (x, a) => {
          expect(incompleteBeta(x, a, 1)).toBeCloseTo(x ** a, 10);
        },
      ),
    );
  });
});
