import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nthSmallest } from './nth-smallest.ts';

it('is the value at its place in the sorted ones', () => {
  const values = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, fc.nat(), (all, place) => {
      const n = place % all.length;
      const sorted = [...all].sort((a, b) => a - b);
      expect(nthSmallest(Float32Array.from(all), n)).toBe(sorted[n]);
    }),
  );
});
