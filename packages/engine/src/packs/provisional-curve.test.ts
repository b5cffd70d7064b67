import { describe, expect, it } from 'vitest';
import { comparisonSimilarityOf, similarityOf } from '../similarity.ts';
import { knownPacks } from './catalog.ts';
import { provisionalCurve, upperTail } from './provisional-curve.ts';

const normalised: [number, number][] = [
  [-2, 0],
  [3, -3],
];

/** Two templates with this product. */
const pairAt = (product: number): [Float32Array, Float32Array] => [
  Float32Array.of(1, 0),
  Float32Array.of(product, Math.sqrt(1 - product ** 2)),
];

describe('a provisional curve', () => {
  it('goes through the published points', () => {
    const points = [
      { product: 0.22, fmr: 1e-2 },
      { product: 0.3, fmr: 1e-3 },
    ];
    const curve = provisionalCurve('p', { source: 'a paper', mean: 0.05, points }, normalised);
    expect(curve).toMatchObject({ provisional: true, evidence: { published: 'a paper', points: 2 } });
    expect(similarityOf(curve, 0.22)).toBeCloseTo(0.5, 4);
    expect(similarityOf(curve, 0.3)).toBeCloseTo(0.625, 4);
    expect(comparisonSimilarityOf(curve, ...pairAt(0.3))).toBeCloseTo(0.625, 4);
    expect(curve.cohort).toMatchObject({ mean: 0.05 });
    expect(curve.cohort!.knots.map(([, log]) => log)).toEqual([0, -2.76]);
    expect(curve.cohort!.deviation).toBeCloseTo(0.17 / 2.3263, 3);
  });

  it('claims no lower FMR beyond one published point than a normal distribution has', () => {
    const deviation = 0.15;
    const product = 2.4 * deviation;
    const curve = provisionalCurve(
      'p',
      { source: 'a demo', points: [{ product, fmr: upperTail(2.4) }] },
      normalised,
    );
    for (const z of [0.5, 1, 2, 2.4, 3, 3.5, 4]) {
      const claimed = (0.25 - similarityOf(curve, z * deviation)) / 0.125;
      expect(claimed).toBeGreaterThan(Math.log10(upperTail(z)) - 0.03);
    }
    expect(similarityOf(curve, 0.99)).toBeLessThan(1);
  });

  it('uses the points of similar people for comparisons of unknown people', () => {
    const points = [{ product: 0.3, fmr: 1e-3 }];
    const similarPeople = [{ product: 0.5, fmr: 1e-3 }];
    const curve = provisionalCurve('p', { source: 's', points, similarPeople }, normalised);
    expect(comparisonSimilarityOf(curve, ...pairAt(0.5))).toBeCloseTo(similarityOf(curve, 0.3), 6);
  });

  it('exists for every known pack that compares faces', async () => {
    const packs = (await knownPacks()).filter(({ networks }) => networks.embedder);
    expect(packs.map(({ id }) => id)).toEqual(['auraface', 'opencv-zoo']);
    for (const { id, published } of packs) {
      const curve = provisionalCurve(id, published!, normalised);
      const similarities = [0, 0.2, 0.4, 0.6, 0.8, 0.95].map((product) => similarityOf(curve, product));
      expect(similarities).toEqual([...similarities].sort((a, b) => a - b));
    }
  });
});
