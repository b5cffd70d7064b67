import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineError } from './errors.ts';
import {
  alikeSimilarityOf,
  comparisonSimilarityOf,
  innerProduct,
  parseCurve,
  readCurve,
  similarityOf,
} from './similarity.ts';

const curve = parseCurve({
  pack: 'test',
  evidence: {},
  knots: [
    [0.5, -1],
    [0.7, -2],
    [0.8, -4],
  ],
});
const builtin = await readCurve(new URL('../data/similarity-builtin.json', import.meta.url));
const products = fc.double({ min: -1, max: 1, noNaN: true });

describe('similarityOf', () => {
  it.each([
    [0.5, 0.375],
    [0.6, 0.4375],
    [0.7, 0.5],
    [0.8, 0.75],
  ])('is 0.25 + 0.125 × −log10(FMR) at an inner product of %d', (product, similarity) => {
    expect(similarityOf(curve, product)).toBeCloseTo(similarity, 10);
  });

  it('extrapolates linearly beyond the ends', () => {
    expect(similarityOf(curve, 0.4)).toBeCloseTo(0.3125, 10);
    expect(similarityOf(curve, 0.85)).toBeCloseTo(0.875, 10);
  });

  it('is 1 for the same picture twice, and for no other pair', () => {
    expect(similarityOf(curve, 1)).toBe(1);
    expect(similarityOf(builtin, 0.9999999)).toBe(1);
    expect(similarityOf(curve, 0.99999)).toBe(0.9999);
    expect(similarityOf(builtin, 0.99999)).toBe(0.9999);
  });

  it.each([
    ['a small one', curve],
    ['the built-in one', builtin],
  ])('rises with the inner product and stays within 0…1, by %s', (_name, knots) => {
    fc.assert(
      fc.property(products, products, (p, q) => {
        const [lower, higher] = [similarityOf(knots, Math.min(p, q)), similarityOf(knots, Math.max(p, q))];
        expect(lower).toBeLessThanOrEqual(higher);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(higher).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('comparisonSimilarityOf', () => {
  /** A template by its angle, degrees; the second value tells the kind. */
  const at = (degrees: number) =>
    Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
  const kind = { of: 'faces behind masks', bias: -500, weights: [0, 1000], shift: 0.1, apart: 0.05 };
  const ofKinds = parseCurve({ ...curve, comparison: { knots: curve.knots, kinds: [kind] } });

  it('is that of the product less the shift of a kind that both faces are of', () => {
    const [a, b] = [at(60), at(100)];
    const product = innerProduct(a, b);
    expect(comparisonSimilarityOf(ofKinds, a, b)).toBeCloseTo(similarityOf(curve, product - 0.1), 6);
  });

  it('is that of a higher product where one face is of the kind, and of the product where none is', () => {
    for (const [one, other, gained] of [
      [60, 20, 0.05],
      [20, -20, 0],
      [31, 29, 0.05],
    ] as const) {
      const [a, b] = [at(one), at(other)];
      const similarity = Math.min(0.9999, similarityOf(curve, innerProduct(a, b) + gained));
      expect(comparisonSimilarityOf(ofKinds, a, b)).toBeCloseTo(similarity, 6);
    }
  });

  it('is 1 for the same picture, of whatever kind', () => {
    expect(comparisonSimilarityOf(ofKinds, at(90), at(90))).toBe(1);
  });

  it('is the same for both orders of two pictures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 0, max: 359 }), (one, other) => {
        const [a, b] = [at(one), at(other)];
        expect(comparisonSimilarityOf(ofKinds, a, b)).toBe(comparisonSimilarityOf(ofKinds, b, a));
      }),
    );
  });

  it('is that of strangers who are alike, and of the curve where it has no such part', () => {
    const alike = parseCurve({
      ...curve,
      comparison: { knots: [...curve.knots].map(([x, y]) => [x + 0.1, y]) },
    });
    const product = innerProduct(at(0), at(50));
    for (const [of, score] of [
      [alike, product - 0.1],
      [curve, product],
    ] as const) {
      expect(comparisonSimilarityOf(of, at(0), at(50))).toBeCloseTo(similarityOf(curve, score), 10);
      expect(alikeSimilarityOf(of, product)).toBeCloseTo(similarityOf(curve, score), 10);
    }
  });

  it('of the built-in one claims more of strangers who are alike', () => {
    for (const product of [0.3, 0.4, 0.5, 0.6]) {
      expect(alikeSimilarityOf(builtin, product)).toBeLessThan(similarityOf(builtin, product) - 0.05);
    }
  });
});

describe('parseCurve', () => {
  it.each([
    [
      'inner products that do not rise',
      [
        [0.5, -1],
        [0.5, -2],
      ],
    ],
    [
      'false match rates that do not fall',
      [
        [0.5, -1],
        [0.6, -1],
      ],
    ],
    ['a single knot', [[0.5, -1]]],
    [
      'a false match rate above 1',
      [
        [0.5, 1],
        [0.6, 0],
      ],
    ],
  ])('refuses %s', (_name, knots) => {
    expect(() => parseCurve({ pack: 'test', evidence: {}, knots })).toThrow(EngineError);
  });
});

describe('innerProduct', () => {
  it('is 1 for a unit vector with itself', () => {
    const vector = Float32Array.from([0.6, 0, 0.8]);
    expect(innerProduct(vector, vector)).toBeCloseTo(1, 6);
  });

  it('refuses templates of different lengths', () => {
    expect(() => innerProduct(new Float32Array(3), new Float32Array(4))).toThrow(/3 and 4/);
  });
});
