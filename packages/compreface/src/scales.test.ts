import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comprefaceSimilarity, probabilityOf, scoreOf } from './scales.ts';

it.each([
  // false match rate, our similarity, that of CompreFace
  [1, 0.25, 0.0122],
  [1e-1, 0.375, 0.1],
  [1e-2, 0.5, 0.5],
  [1e-3, 0.625, 0.9],
  [1e-4, 0.75, 0.98781],
  [1e-5, 0.875, 0.99863],
])('an FMR of %d is %d here and %d for clients of CompreFace', (_rate, similarity, expected) => {
  expect(comprefaceSimilarity(similarity)).toBeCloseTo(expected, 4);
});

it('keeps the order of similarities, within 0 to 1, and 1 for the same picture only', () => {
  const similarity = fc.double({ min: 0, max: 0.9999, noNaN: true });
  fc.assert(
    fc.property(similarity, similarity, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map(comprefaceSimilarity);
      expect(low).toBeLessThanOrEqual(high!);
      expect(high).toBeLessThan(1);
      expect(low).toBeGreaterThanOrEqual(0);
    }),
  );
  expect(comprefaceSimilarity(1)).toBe(1);
});

it('converts thresholds of detection to scores', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (threshold) => {
      expect(probabilityOf(scoreOf(threshold))).toBeCloseTo(threshold, 4);
    }),
  );
});
