import { cutFraction, raiseThreshold } from '@wajah/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cloudScale, cloudSimilarity, ownScale, similarityOfCloud } from './scales.ts';

const similarity = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 10_000 }).map((steps) => steps / 10_000),
);
/** A threshold of the service has four decimals. */
const threshold = similarity.map(raiseThreshold);

it.each([
  // own threshold, similarity, on the scale of the cloud
  [0.625, 0, 0],
  [0.625, 0.3125, 0.375],
  [0.625, 0.6249, 0.7498],
  [0.625, 0.625, 0.75],
  [0.625, 0.7188, 0.95],
  [0.75, 0.7499, 0.7499],
  [0.75, 0.75, 0.75],
  [0.75, 0.8125, 0.95],
  [0.875, 0.8749, 0.7499],
  [0.875, 0.875, 0.75],
  [0.875, 0.9063, 0.95],
  [0.9998, 0.9998, 0.75],
  [0.9999, 0.9998, 0.7499],
  [0.9999, 0.9999, 0.9999],
  [0.625, 0.9999, 0.9999],
  [0.625, 1, 1],
  [1, 0.9999, 0.7499],
  [1, 1, 1],
])('beside a threshold of %d a similarity of %d is %d', (own, given, shown) => {
  expect(cloudSimilarity(given, own)).toBe(shown);
});

it('keeps the order, 0 and the highest, and has four decimals', () => {
  fc.assert(
    fc.property(threshold, similarity, similarity, (own, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map((one) => cloudSimilarity(one, own));
      expect(low).toBeLessThanOrEqual(high!);
      expect(cutFraction(high!)).toBe(high);
      if (own > 0) expect(cloudSimilarity(0, own)).toBe(0);
      if (own < 1) expect(cloudSimilarity(0.9999, own)).toBe(0.9999);
      expect(cloudSimilarity(1, own)).toBe(1);
    }),
  );
});

it('is continuous: a step of the own scale is never a larger one than the slopes between its points allow', () => {
  const usual = fc.integer({ min: 1000, max: 9800 }).map((steps) => steps / 10_000);
  const at = fc.integer({ min: 0, max: 9998 });
  fc.assert(
    fc.property(usual, at, (own, steps) => {
      const [one, next] = [steps, steps + 1].map((step) => cloudSimilarity(step / 10_000, own));
      const slope = Math.max(0.75 / own, 0.8 / (0.9999 - own), 0.0666 / (0.9999 - own));
      expect(next! - one!).toBeLessThanOrEqual(slope / 10_000 + 1.01e-4);
    }),
  );
});

it('a limit is reached exactly by the similarities that its threshold on the own scale accepts', () => {
  fc.assert(
    fc.property(threshold, similarity, similarity, (own, limit, given) => {
      const shown = cutFraction(cloudScale.of(given, own));
      expect(shown >= limit).toBe(given >= similarityOfCloud(limit, own));
    }),
    { numRuns: 2000 },
  );
});

it("0.75 is the service's own decision", () => {
  fc.assert(
    fc.property(threshold, similarity, (own, given) => {
      expect(cloudSimilarity(given, own) >= 0.75).toBe(given >= own);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(threshold, (own) => {
      if (own < 0.9999) expect(cloudSimilarity(own, own)).toBe(0.75);
      expect(similarityOfCloud(0.75, own)).toBe(own);
    }),
  );
});

it('0.95 is stricter than the decision, until no different pictures can be', () => {
  fc.assert(
    fc.property(threshold, (own) => {
      const strict = similarityOfCloud(0.95, own);
      if (own < 0.9999) expect(strict).toBeGreaterThan(own);
      else expect(strict).toBe(own);
    }),
  );
});

it('a call that names no limit has none', () => {
  expect([ownScale.limit(undefined), cloudScale.limit(undefined)]).toEqual([undefined, undefined]);
  expect([ownScale.limit(0.7), ownScale.of(0.7, 0.6)]).toEqual([0.7, 0.7]);
});
