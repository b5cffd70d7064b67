import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPlattScaling, assignFolds, crossValidate, fitPlattScaling } from './folds.ts';
import { type Example, logit, sigmoid, trainLogistic } from './logistic.ts';

/** Uniform numbers 0…1 from a seed (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function cloud(count: number, seed: number): (Example & { group: string })[] {
  const next = uniform(seed);
  return Array.from({ length: count }, (_, i) => {
    const row = [next() * 4 - 2, next() * 100, next()];
    return { row, positive: next() < sigmoid(3 * row[0]! + 0.5), group: `g${i}` };
  });
}

describe('trainLogistic', () => {
  it('recovers the slope that generated the labels, on columns of any scale', () => {
    const model = trainLogistic(cloud(4000, 1), 1e-6);
    expect(model.weights[0]!).toBeGreaterThan(2.6);
    expect(model.weights[0]!).toBeLessThan(3.4);
    expect(Math.abs(model.weights[1]!)).toBeLessThan(0.01);
  });

  it('is at a minimum: the class-balanced residuals are uncorrelated with each column', () => {
    const examples = cloud(300, 2);
    const model = trainLogistic(examples, 0, 3000);
    const positives = examples.filter((example) => example.positive).length;
    for (const column of [0, 2]) {
      let sum = 0;
      for (const { row, positive } of examples) {
        const weight = positive ? 0.5 / positives : 0.5 / (examples.length - positives);
        sum += weight * (sigmoid(logit(model, row)) - Number(positive)) * row[column]!;
      }
      expect(Math.abs(sum)).toBeLessThan(1e-4);
    }
  });

  it('is deterministic', () => {
    expect(trainLogistic(cloud(50, 3), 0.1)).toEqual(trainLogistic(cloud(50, 3), 0.1));
  });

  it('shrinks with the penalty', () => {
    const norm = (ridge: number) => Math.hypot(...trainLogistic(cloud(200, 4), ridge).weights);
    expect(norm(1)).toBeLessThan(norm(0.01));
  });

  it('refuses a single class', () => {
    expect(() => trainLogistic([{ row: [1], positive: true }], 1)).toThrow(RangeError);
  });
});

describe('crossValidate', () => {
  it('never scores an example by a model fitted on its group', () => {
    const examples = cloud(40, 5).map((example, i) => ({ ...example, group: `g${i % 10}` }));
    crossValidate(examples, 5, (others) => {
      const seen = new Set(others.map((example) => example.group));
      expect(seen.size).toBe(8);
      return { bias: 0, weights: new Float64Array(3) };
    });
  });

  it('assigns groups to folds evenly, whatever their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 5, maxLength: 60 }), (groups) => {
        const fold = assignFolds(groups, 5);
        expect(assignFolds(groups.toReversed(), 5)).toEqual(new Map(fold));
        const sizes = [0, 0, 0, 0, 0];
        for (const value of fold.values()) sizes[value]!++;
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('calibration', () => {
  it('corrects overconfidence', () => {
    const examples = cloud(3000, 6);
    const over = trainLogistic(examples, 1e-6);
    const tripled = { bias: over.bias * 3, weights: over.weights.map((weight) => weight * 3) };
    const by = fitPlattScaling(
      examples.map((example) => logit(tripled, example.row)),
      examples,
    );
    expect(by.weights[0]!).toBeCloseTo(1 / 3, 1);
    expect(applyPlattScaling(tripled, by).weights[0]! / over.weights[0]!).toBeCloseTo(1, 0);
    expect(applyPlattScaling(tripled, by).bias / over.bias).toBeCloseTo(1, 0);
  });
});
