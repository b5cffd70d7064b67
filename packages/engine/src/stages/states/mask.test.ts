import { describe, expect, it } from 'vitest';
import { maskScore } from './mask.ts';

describe('maskScore', () => {
  it('is a probability that moves with the features', () => {
    const scores = [-1, 0, 1].map((value) => maskScore(new Float32Array(1024).fill(value)));
    for (const score of scores) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(new Set(scores).size).toBe(3);
  });

  it('refuses another number of features', () => {
    expect(() => maskScore(new Float32Array(128))).toThrow('found 128');
  });
});
