import { describe, expect, it } from 'vitest';
import { impostorPairsPerMatch, measuredPairs, roundTo2Digits, similarityWord } from './similarity-scale.ts';

describe('the similarity scale', () => {
  it('is the calibration of the server', () => {
    expect(impostorPairsPerMatch(0.5)).toBeCloseTo(100);
    expect(impostorPairsPerMatch(0.625)).toBeCloseTo(1_000);
    expect(impostorPairsPerMatch(0.75)).toBeCloseTo(10_000);
    expect(impostorPairsPerMatch(0)).toBe(1);
  });

  it('was measured up to similarities of 0.82', () => {
    expect(impostorPairsPerMatch(0.82)).toBeLessThan(measuredPairs);
    expect(impostorPairsPerMatch(0.83)).toBeGreaterThan(measuredPairs);
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

describe('the word for a similarity', () => {
  it.each([
    [0.9999, 0.625, 'same'],
    [0.625, 0.625, 'same'],
    [0.6249, 0.625, 'probably'],
    [0.5625, 0.625, 'probably'],
    [0.5624, 0.625, 'unsure'],
    [0.5, 0.625, 'unsure'],
    [0.4999, 0.625, 'different'],
    [0, 0.625, 'different'],
    // A higher threshold moves the bands with it.
    [0.625, 0.75, 'unsure'],
    [0.6249, 0.75, 'different'],
    // A low threshold makes no ordinary impostor pair probable.
    [0.5, 0.51, 'probably'],
    [0.4999, 0.51, 'unsure'],
    [0.28, 0.4, 'unsure'],
    [0.27, 0.4, 'different'],
  ])('%d at the threshold %d is %s', (similarity, threshold, word) => {
    expect(similarityWord(similarity, threshold)).toBe(word);
  });
});
