import { describe, expect, it } from 'vitest';
import { mapConcurrently } from './concurrency.ts';
import { pairsReport, peopleReport, quantile } from './report.ts';

describe('quantile', () => {
  it('interpolates', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([7], 0.95)).toBe(7);
    expect(quantile([0, 10], 0.95)).toBeCloseTo(9.5);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('the report', () => {
  const times = new Map([['verify-face', [10, 20, 90]]]);

  it('has counts, intervals, refusals and times', () => {
    const text = peopleReport(
      {
        people: 3,
        enrolled: 2,
        small: 1,
        genuine: { trials: 4, accepted: 3 },
        impostors: { trials: 8, refused: 8 },
        identified: { right: 2, wrong: 1, nobody: 1 },
        mistakes: {
          falseNonMatches: ['a: 2.jpg, similarity 0.5'],
          falseMatches: ['b: 2.jpg verified as a, similarity 0.7'],
          misidentified: [],
          notIdentified: ['a: 2.jpg'],
          refused: ['c not enrolled: c.jpg: 412 Face not detected'],
        },
      },
      times,
    );
    expect(text).toContain('3 people, 2 enrolled with one picture each (1 with force_register: small faces)');
    expect(text).toMatch(/FNMR .* +1 of 4 +25\.0 % +95 %: 0\.6–80\.6/);
    expect(text).toMatch(/FMR .* +0 of 8 +0\.0 %/);
    expect(text).toMatch(/FNIR .* +2 of 4 .*\n {2}another person returned +1 of 4/);
    expect(text).toMatch(/false non-matches: .+: 1\n {4}a: 2.jpg, similarity 0.5\n/);
    expect(text).toMatch(/false matches: .+: 1\n {4}b: 2.jpg verified as a, similarity 0.7\n/);
    expect(text).toMatch(/false identifications: .+: none\n {2}not identified: .+: 1\n {4}a: 2.jpg\n/);
    expect(text).toMatch(/refused: .+: 1\n {4}c not enrolled: c.jpg: 412 Face not detected\n/);
    expect(text).toMatch(/verify-face +3 +20 +83/);
  });

  it('lists the pairs with errors', () => {
    const text = pairsReport(
      {
        genuine: { trials: 1, accepted: 0 },
        impostors: { trials: 0, refused: 0 },
        mistakes: { falseNonMatches: ['a and b'], falseMatches: [], refused: [] },
      },
      times,
    );
    expect(text).toMatch(/all errors +1 of 1 +100\.0 %/);
    expect(text).toMatch(/false non-matches: .+: 1\n {4}a and b\n {2}false matches: .+: none\n/);
  });
});

describe('inParallel', () => {
  it('keeps the order, runs at most its width at a time, stops at an error', async () => {
    let running = 0;
    let most = 0;
    const results = await mapConcurrently([3, 1, 2], 2, async (item) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, item));
      running--;
      return item * 10;
    });
    expect(results).toEqual([30, 10, 20]);
    expect(most).toBe(2);
    const done: number[] = [];
    const failing = mapConcurrently([1, 2, 3], 1, async (item) => {
      if (item === 2) throw new Error('two');
      done.push(item);
    });
    await expect(failing).rejects.toThrow('two');
    expect(done).toEqual([1]);
  });
});
