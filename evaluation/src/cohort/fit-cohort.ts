import { type CohortCurve, cohortProbe, innerProduct, MAX_COHORT, measureCohort } from '@wajah/engine';
import { fitCurve } from '../calibration/curve.ts';
import { type AcquiredSample, byIdentity } from '../people/templates.ts';
import { drawGalleries } from './galleries.ts';

/** People that the curve's galleries have at most, their number, and the people that are needed. */
const GALLERY = 400;
const DRAWS = 6;
const LEAST = 250;

/**
 * Fits the FMR of scores normalised by the people of a gallery, on galleries drawn from a mixed crowd.
 * @returns null with fewer than 250 people
 */
export async function fitCohort(samples: readonly AcquiredSample[]): Promise<CohortCurve | null> {
  const people = [...byIdentity(samples).values()];
  if (people.length < LEAST) return null;
  const size = Math.min(GALLERY, MAX_COHORT, Math.floor(people.length * 0.6));
  const prior = moments(people.map(([first]) => first!.template));
  const scores: number[] = [];
  for (const { references, probes } of drawGalleries(samples, size, DRAWS, 'fit')) {
    const cohort = await measureCohort(
      references.map(({ template }) => template),
      true,
    );
    for (const probe of probes) {
      const { query, scoreOf } = cohortProbe({ ...prior, knots: [] }, cohort, probe.template);
      for (const { identity, template } of references) {
        if (identity !== probe.identity) scores.push(scoreOf(innerProduct(query, template)));
      }
    }
  }
  const { knots } = fitCurve(Float64Array.from(scores).sort(), Number.POSITIVE_INFINITY);
  return { ...prior, knots };
}

/** Mean and deviation of the products of different people. */
function moments(templates: readonly Float32Array[]): Pick<CohortCurve, 'mean' | 'deviation'> {
  let [count, sum, squares] = [0, 0, 0];
  templates.forEach((a, i) => {
    for (const b of templates.slice(0, i)) {
      const product = innerProduct(a, b);
      count += 1;
      sum += product;
      squares += product * product;
    }
  });
  const mean = sum / count;
  return { mean: round(mean), deviation: round(Math.sqrt(squares / count - mean * mean)) };
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;
