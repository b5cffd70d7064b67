import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { innerProduct, log10Fmr } from '../similarity.ts';
import type { CohortCurve } from '../types.ts';
import { type CohortStatistics, cohortPairs, cohortProbe, measureCohort } from './cohort.ts';

const curve: CohortCurve = {
  mean: 0,
  deviation: 0.13,
  knots: [
    [0, -0.3],
    [2, -2],
    [5, -6],
  ],
};
const dimensions = 16;

/** @param templates of enough people */
async function measured(templates: readonly Float32Array[], complete: boolean): Promise<CohortStatistics> {
  return (await measureCohort(curve, templates, { complete }))!;
}

/** A generator of numbers from −1 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Unit vectors around a direction that all share; `alike` is its weight. */
function crowd(count: number, seed: number, alike = 0): Float32Array[] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const values = Array.from({ length: dimensions }, (_, i) => next() + (i === 0 ? alike : 0));
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The formula of the note in `scores.ts`, pair by pair, without the blend of m and σ with the pack's.
 * @param without people who are left out of both means: the claimed one, and the probe where it is one of them
 */
function byDefinition(
  templates: readonly Float32Array[],
  probe: Float32Array,
  claimed: number,
  without: readonly number[] = [claimed],
): number {
  const count = templates.length;
  const others = templates.filter((_, i) => !without.includes(i));
  const reference = templates[claimed]!;
  const product = mean(
    templates.flatMap((one, i) => templates.slice(0, i).map((other) => innerProduct(one, other))),
  );
  const likeness = ((product - curve.mean) / curve.deviation) * (count / (count + 2));
  const a = Math.min(0.5, Math.max(0, likeness)) * (count / (count + 10));
  const probeMean = mean(others.map((other) => innerProduct(probe, other)));
  const referenceMean = mean(others.map((other) => innerProduct(reference, other)));
  return innerProduct(probe, reference) - product - a * (probeMean + referenceMean - 2 * product);
}

const people = fc.integer({ min: 5, max: 40 });
const seeds = fc.integer({ min: 1, max: 1e6 });
const few = { numRuns: 30 };

describe('a score normalised by a cohort', () => {
  it('follows the definition, with the claimed person left out of both means', async () => {
    await fc.assert(
      fc.asyncProperty(people, seeds, async (count, seed) => {
        const templates = crowd(count, seed, 1);
        const [probe] = crowd(1, seed + 1);
        const cohort = await measured(templates, true);
        const { query, scoreOf } = cohortProbe(curve, cohort, probe!);
        const shares = [count ** 2, 20 ** 2];
        const spread = Math.sqrt(
          (shares[0]! * cohort.deviation ** 2 + shares[1]! * curve.deviation ** 2) /
            (shares[0]! + shares[1]!),
        );
        const centre = ((curve.mean - cohort.product) * 2) / (count + 2);
        const score = scoreOf(innerProduct(query, templates[3]!));
        expect(score).toBeCloseTo((byDefinition(templates, probe!, 3) - centre) / spread, 4);
      }),
      few,
    );
  });

  it('of two enrolled people leaves both out of both means', async () => {
    await fc.assert(
      fc.asyncProperty(people, seeds, async (count, seed) => {
        const templates = crowd(count, seed, 1);
        const cohort = await measured(templates, true);
        const { mean, weight, similarityOf } = cohortPairs(curve, cohort);
        const [one, other] = [templates[2]!, templates[4]!];
        const shift = weight * (innerProduct(one, mean) + innerProduct(other, mean));
        const similarity = similarityOf(innerProduct(one, other) - shift);
        const shares = [count ** 2, 20 ** 2] as const;
        const variance = shares[0] * cohort.deviation ** 2 + shares[1] * curve.deviation ** 2;
        const centre = ((curve.mean - cohort.product) * 2) / (count + 2);
        const numerator = byDefinition(templates, one, 4, [2, 4]) - centre;
        const score = numerator / Math.sqrt(variance / (shares[0] + shares[1]));
        const expected = 0.25 - 0.125 * log10Fmr(curve.knots, score);
        expect(similarity).toBeCloseTo(Math.min(0.9999, Math.max(0, expected)), 4);
      }),
      few,
    );
  });

  it('is symmetric in probe and reference', async () => {
    const cohort = await measured(crowd(30, 5, 1), false);
    const score = (a: Float32Array, b: Float32Array) => {
      const { query, scoreOf } = cohortProbe(curve, cohort, a);
      return scoreOf(innerProduct(query, b));
    };
    for (const [i, a] of crowd(10, 6).entries()) {
      const b = crowd(10, 7)[i]!;
      expect(score(a, b)).toBeCloseTo(score(b, a), 5);
    }
  });

  it('rises with the product that a search finds, so that the order of a search is that of the scores', async () => {
    await fc.assert(
      fc.asyncProperty(people, seeds, fc.boolean(), async (count, seed, complete) => {
        const cohort = await measured(crowd(count, seed, 1), complete);
        const { scoreOf, similarityOf } = cohortProbe(curve, cohort, crowd(1, seed + 1)[0]!);
        expect(scoreOf(0.3) - scoreOf(0.2)).toBeCloseTo(scoreOf(0.2) - scoreOf(0.1), 9);
        expect(scoreOf(0.3)).toBeGreaterThan(scoreOf(0.2));
        expect(similarityOf(0.3)).toBeGreaterThanOrEqual(similarityOf(0.2));
      }),
      few,
    );
  });

  it.each([0, 1, 2])(
    'is about 0 for two people of the kind of the gallery, however alike (%d)',
    async (alike) => {
      const cohort = await measured(crowd(60, 9, alike), false);
      const [probes, others] = [crowd(100, 10, alike), crowd(100, 12, alike)];
      const scores = probes.map((probe, i) => {
        const { query, scoreOf } = cohortProbe(curve, cohort, probe);
        return scoreOf(innerProduct(query, others[i]!));
      });
      expect(Math.abs(scores.reduce((sum, score) => sum + score, 0) / scores.length)).toBeLessThan(0.6);
    },
  );

  it('is 1 for the picture that is enrolled, and at most 0.9999 for others', async () => {
    const templates = crowd(20, 11);
    const cohort = await measured(templates, true);
    const { query, similarityOf } = cohortProbe(curve, cohort, templates[4]!);
    expect(similarityOf(innerProduct(query, templates[4]!))).toBe(1);
    expect(similarityOf(5)).toBe(0.9999);
    expect(similarityOf(-5)).toBeLessThan(0.3);
  });
});

describe('the curve of similar people', () => {
  const likeness = 0.3;
  const similar: CohortCurve = {
    ...curve,
    similar: {
      mean: 2 * likeness,
      knots: [
        [0, -0.3],
        [2, -3],
      ],
    },
  };
  /** log10 of the FMR of a score among people whose templates have this mean product. */
  const fmr = async (product: number, score: number) => {
    const cohort = { ...(await measured(crowd(20, 4), false)), product: product * (22 / 20) };
    const { scoreOf, similarityOf } = cohortProbe(similar, cohort, crowd(1, 5)[0]!);
    const [zero, one] = [scoreOf(0), scoreOf(1)];
    return (0.25 - similarityOf((score - zero) / (one - zero))) / 0.125;
  };

  it('counts by how much people are alike, up to its own mean product', async () => {
    expect(await fmr(0, 2)).toBeCloseTo(-2, 6);
    expect(await fmr(-0.2, 2)).toBeCloseTo(-2, 6);
    expect(await fmr(likeness, 2)).toBeCloseTo(-2.5, 6);
    expect(await fmr(2 * likeness, 2)).toBeCloseTo(-3, 6);
    expect(await fmr(0.9, 2)).toBeCloseTo(-3, 6);
  });
});

describe('the statistics of a cohort', () => {
  const centre = (cohort: CohortStatistics) => Math.sqrt(innerProduct(cohort.mean, cohort.mean));

  it('change by little with one person in ten who was enrolled to move them', async () => {
    const honest = crowd(90, 21);
    const [same] = crowd(1, 22);
    const before = await measured(honest, true);
    const hostile = await measured([...honest, ...new Array<Float32Array>(10).fill(same!)], true);
    expect(Math.abs(centre(hostile) - centre(before))).toBeLessThan(0.1);
    expect(Math.abs(hostile.product - before.product)).toBeLessThan(0.02);
    expect(hostile.deviation / before.deviation).toBeGreaterThan(0.9);
    expect(hostile.deviation / before.deviation).toBeLessThan(1.1);
  });

  it('barely depend on a duplicate', async () => {
    const templates = crowd(30, 23);
    const before = await measured(templates, true);
    const after = await measured([...templates, templates[0]!], true);
    expect(after.deviation / before.deviation).toBeGreaterThan(0.97);
    expect(after.deviation / before.deviation).toBeLessThan(1.03);
  });

  it('are those of a probe of unit length where references are means of several templates', async () => {
    const templates = crowd(30, 25, 1);
    const [unit, shorter] = [
      await measured(templates, true),
      await measured(
        templates.map((template) => template.map((value) => 0.8 * value)),
        true,
      ),
    ];
    expect(shorter.product).toBeCloseTo(0.8 * unit.product, 6);
    expect(shorter.deviation).toBeCloseTo(0.8 * unit.deviation, 2);
  });

  it('do not depend on the order of the people beyond rounding', async () => {
    const templates = crowd(25, 24, 1);
    const [one, other] = [await measured(templates, true), await measured([...templates].reverse(), true)];
    expect(one.deviation).toBeCloseTo(other.deviation, 12);
    expect(one.product).toBeCloseTo(other.product, 12);
  });

  it('are of 5 different people at least, and of 512 at most', async () => {
    const same = (product: number) => product > 0.99;
    const templates = crowd(5, 1);
    expect(await measureCohort(curve, templates.slice(1), { complete: true })).toBeNull();
    expect(await measureCohort(curve, [...templates, templates[0]!], { complete: true, same })).toEqual(
      await measured(templates, true),
    );
    expect(
      await measureCohort(curve, [...templates.slice(1), templates[1]!], { complete: true, same }),
    ).toBeNull();
    await expect(measured(crowd(513, 1), false)).rejects.toThrow('a cohort of 513 people');
  });
});
