import { describe, expect, it } from 'vitest';
import { impostorPairsPerMatch, maxPairs, roundTo2Digits, scaleTicks } from './similarity-scale.ts';

describe('the similarity scale', () => {
  it('is the calibration of the server', () => {
    expect(impostorPairsPerMatch(0.5)).toBeCloseTo(100);
    expect(impostorPairsPerMatch(0.625)).toBeCloseTo(1_000);
    expect(impostorPairsPerMatch(0.75)).toBeCloseTo(10_000);
    expect(impostorPairsPerMatch(0)).toBe(1);
    expect(impostorPairsPerMatch(1)).toBe(maxPairs);
  });

  it('has a tick at each power of ten', () => {
    expect(scaleTicks.at(-1)).toEqual({ at: 1, oneIn: maxPairs });
    for (const { at, oneIn } of scaleTicks) expect(impostorPairsPerMatch(at)).toBeCloseTo(oneIn);
  });

  it.each([
    [1, 1],
    [9.6, 10],
    [1_234, 1_200],
    [98_765, 99_000],
  ])('rounds to two digits: %d to %d', (count, rounded) => {
    expect(roundTo2Digits(count)).toBe(rounded);
  });
});
