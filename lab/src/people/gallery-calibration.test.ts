import { type CalibrationCurve, parseCurve, similarityOf } from '@wajah/engine';
import { log10Fmr } from '@wajah/engine/training';
import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { calibrationOfGalleries } from './gallery-calibration.ts';

const contract = {
  pack: 'p',
  version: '1',
  embedder: 'e',
  alignment: 'a',
  dimensions: 8,
  normalisation: 'l2',
};

/** A provisional curve that claims too little: products of a normal distribution with a deviation of 0.06. */
const prior: CalibrationCurve = {
  pack: 'p',
  provisional: true,
  evidence: {},
  knots: [
    [-0.1, 0],
    [0.14, -2],
    [0.3, -6],
  ],
  cohort: {
    mean: 0,
    deviation: 0.06,
    knots: [
      [-2, 0],
      [5, -6],
    ],
  },
};

/** Products of impostor pairs, normal with a deviation of 0.1, and of people who are enrolled twice. */
function measured(pairs: number, twice = 0) {
  const { normal } = seeded('galleries');
  const counts = new Map<number, number>();
  const add = (product: number) => {
    const bin = Math.floor((product + 1) * 5000) / 5000 - 1;
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  };
  for (let i = 0; i < pairs; i++) add(0.1 * normal());
  for (let i = 0; i < twice; i++) add(0.9);
  const bins = [...counts].sort(([a], [b]) => a - b);
  return { galleries: 1, otherGalleries: 0, people: 50, bins };
}

describe('a calibration from the people of galleries', () => {
  it.each([1, 3, 45, 1225, 40_000])(
    'of %d pairs is a curve that claims no lower FMR than counted',
    (pairs) => {
      const data = measured(pairs);
      const { curve } = calibrationOfGalleries(contract, data, prior).calibration;
      expect(parseCurve(JSON.parse(JSON.stringify(curve)))).toEqual(curve);
      expect(curve).not.toHaveProperty('provisional');
      let above = pairs;
      for (const [product, count] of data.bins) {
        expect(log10Fmr(curve.knots, product)).toBeGreaterThanOrEqual(Math.log10(above / pairs) - 3e-3);
        above -= count;
      }
    },
  );

  it('of many pairs follows them, whatever the pack claims', () => {
    const { curve } = calibrationOfGalleries(contract, measured(100_000), prior).calibration;
    expect(similarityOf(curve, 0.233)).toBeCloseTo(0.5, 1);
    expect(similarityOf(curve, 0.309)).toBeCloseTo(0.625, 1);
    expect(similarityOf(curve, 0.309)).toBeLessThan(similarityOf(prior, 0.309));
    expect(curve.cohort!.deviation).toBeCloseTo(Math.sqrt((50 * 0.1 ** 2 + 5 * 0.06 ** 2) / 55), 2);
  });

  it('of few pairs stays near the curve of the pack, and no claim is below what was counted', () => {
    const { curve } = calibrationOfGalleries(contract, { ...measured(10), people: 5 }, prior).calibration;
    expect(similarityOf(curve, 0.5)).toBeGreaterThan(0.75);
    expect(similarityOf(curve, 0.14)).toBeLessThan(similarityOf(prior, 0.14));
  });

  it('leaves out people who are enrolled twice, and reports counts with intervals', () => {
    const { calibration, figures } = calibrationOfGalleries(contract, measured(1000, 3), prior);
    expect(calibration.curve.evidence).toMatchObject({ impostorPairs: 1000, samePerson: 3, people: 50 });
    expect(figures.find(({ what }) => what === 'impostor pairs')?.evidence).toMatch(
      /^3 more count as one person/,
    );
    const claim = figures.find(({ what }) =>
      what.startsWith("FMR at similarity 0.625, claim 1 in 1000, the pack's"),
    );
    expect(claim?.evidence).toMatch(/^\d+ of 1000; [\d.]+–[\d.]+ %$/);
  });

  it('of one person is refused', () => {
    const nobody = { galleries: 1, otherGalleries: 0, people: 1, bins: [] };
    expect(() => calibrationOfGalleries(contract, nobody, prior)).toThrow(/no gallery has two people/);
  });
});
