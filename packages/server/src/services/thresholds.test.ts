import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createThresholds, identificationThreshold, shown } from './thresholds.ts';

const engine = { threshold: 0.625, spoofThreshold: 0.5 };
const settings = { verify: null, identifyFpir: 0.01, spoof: null, card: 0.6, frontAngle: 12 };

describe('the threshold of identification', () => {
  it.each([
    [1, 0.625],
    [10, 0.625],
    [100, 0.75],
    [10_000, 1],
    [100_000_000, 1],
    [0, 0.625],
  ])('in a gallery of %d is %d', (faces, threshold) => {
    expect(identificationThreshold(0.625, faces, 0.01)).toBeCloseTo(threshold, 12);
  });

  it('never lies below that of verification, never above 1, and never falls as the gallery grows', () => {
    const rate = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(1e6), rate, (verify, faces, fpir) => {
        const threshold = identificationThreshold(verify, faces, fpir);
        expect(threshold).toBeGreaterThanOrEqual(verify);
        expect(threshold).toBeLessThanOrEqual(1);
        expect(identificationThreshold(verify, faces + 1, fpir)).toBeGreaterThanOrEqual(threshold);
      }),
    );
  });
});

it('the settings go before the pack', () => {
  expect(createThresholds(engine, settings)).toMatchObject({ verify: 0.625, spoof: 0.5 });
  expect(createThresholds(engine, { ...settings, verify: 0.8, spoof: 0 })).toMatchObject({
    verify: 0.8,
    spoof: 0,
  });
});

it('a similarity just below a threshold is not shown as equal to it', () => {
  expect(shown(0.62499)).toBe('0.6249');
  expect(shown(0.625)).toBe('0.6250');
});
