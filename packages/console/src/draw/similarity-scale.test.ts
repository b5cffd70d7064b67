import { describe, expect, it } from 'vitest';
import { rarest, roundly, scaleMarks, strangersPerMatch } from './similarity-scale.ts';

describe('the scale of similarity', () => {
  it('is what the service means by it', () => {
    expect(strangersPerMatch(0.5)).toBeCloseTo(100);
    expect(strangersPerMatch(0.625)).toBeCloseTo(1_000);
    expect(strangersPerMatch(0.75)).toBeCloseTo(10_000);
    expect(strangersPerMatch(0)).toBe(1);
    expect(strangersPerMatch(1)).toBe(rarest);
  });

  it('has a mark at every tenfold', () => {
    expect(scaleMarks.at(-1)).toEqual({ at: 1, oneIn: rarest });
    for (const { at, oneIn } of scaleMarks) expect(strangersPerMatch(at)).toBeCloseTo(oneIn);
  });

  it.each([
    [1, 1],
    [9.6, 10],
    [1_234, 1_200],
    [98_765, 99_000],
  ])('is told to two figures: %d as %d', (count, told) => {
    expect(roundly(count)).toBe(told);
  });
});
