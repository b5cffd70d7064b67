import { describe, expect, it } from 'vitest';
import { maskScore } from '../states.ts';

describe('maskScore', () => {
  it('is a probability that moves with the values', () => {
    const scores = [-1, 0, 1].map((value) => maskScore('map', new Float32Array(512).fill(value)));
    for (const score of scores) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(new Set(scores).size).toBe(3);
  });

  it('refuses another number of values', () => {
    expect(() => maskScore('features', new Float32Array(128))).toThrow('found 128');
  });
});
