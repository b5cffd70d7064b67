import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactInterval } from './bounds.ts';

describe('exactInterval', () => {
  it('agrees with published Clopper–Pearson values', () => {
    const some = exactInterval(5, 100);
    expect(some.low).toBeCloseTo(0.016432, 5);
    expect(some.high).toBeCloseTo(0.112835, 5);
    const none = exactInterval(0, 10);
    expect(none.low).toBe(0);
    expect(none.high).toBeCloseTo(0.308497, 5);
  });

  it('is the whole range without trials', () => {
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

  it('ends where so many events or more, or fewer, have a probability of 2.5 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(), (trials, seed) => {
        const events = seed % (trials + 1);
        const { low, high } = exactInterval(events, trials);
        if (events > 0) expect(1 - cumulative(events - 1, trials, low)).toBeCloseTo(0.025, 7);
        if (events < trials) expect(cumulative(events, trials, high)).toBeCloseTo(0.025, 7);
      }),
    );
  });
});

/** Probability of at most so many events among independent trials. */
function cumulative(events: number, trials: number, rate: number): number {
  let term = (1 - rate) ** trials;
  let sum = term;
  for (let k = 1; k <= events; k++) {
    term *= (((trials - k + 1) / k) * rate) / (1 - rate);
    sum += term;
  }
  return sum;
}
