import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutDegrees, cutFraction, raiseThreshold } from './values.ts';

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const fourDecimals = fc.nat(10_000).map((step) => Number((step / 10_000).toFixed(4)));

describe('numbers with sixteen digits on the wire', () => {
  it('are cut, never rounded up to a threshold they do not reach', () => {
    expect(cutFraction(0.9261381533505894)).toBe(0.9261);
    expect(cutFraction(0.6249999999999)).toBe(0.6249);
    expect(cutFraction(1.2719918674124625e-12)).toBe(0);
    expect(cutFraction(1)).toBe(1);
  });

  it('of four decimals stay as they are', () => {
    fc.assert(
      fc.property(fourDecimals, (value) => {
        expect(cutFraction(value)).toBe(value);
        expect(raiseThreshold(value)).toBe(value);
      }),
    );
  });

  it('reach a threshold exactly when what is not cut does', () => {
    fc.assert(
      fc.property(fraction, fraction, (value, limit) => {
        const threshold = raiseThreshold(limit);
        expect(cutFraction(value) >= threshold).toBe(value >= threshold);
      }),
    );
  });

  it('differ from their input by at most one step', () => {
    fc.assert(
      fc.property(fraction, (value) => {
        expect(cutFraction(value)).toBeLessThanOrEqual(value);
        expect(value - cutFraction(value)).toBeLessThan(1.001e-4);
        expect(Math.abs(raiseThreshold(value) - value)).toBeLessThan(1.001e-4);
        expect(raiseThreshold(value)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('angles with sixteen digits on the wire', () => {
  it('are cut towards 0, so that a head that faces the front does not show the limit', () => {
    expect(cutDegrees(11.9999)).toBe(11.99);
    expect(cutDegrees(-11.9999)).toBe(-11.99);
    expect(cutDegrees(-0.001)).toBe(0);
  });
});
