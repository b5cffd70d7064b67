import { type CohortCurve, cohortProbe, innerProduct, MAX_COHORT, measureCohort } from '@wajah/engine';
import { fitCurve, round } from '../calibration/curve.ts';
import { type AcquiredSample, byIdentity } from '../people/templates.ts';
import { type DrawnGallery, drawGalleries, drawNeighbourhoods } from './galleries.ts';

/** People of a gallery of a mixed crowd, at most, and the number of galleries. */
const GALLERY = 400;
const DRAWS = 6;
/** Galleries of similar people: neighbours, those of them who are enrolled, and the number of galleries. */
const NEAR = 60;
const NEAR_ENROLLED = 40;
const NEAR_DRAWS = 60;
/** People that are needed. */
const LEAST = 250;

/**
 * Fits the FMR of scores normalised by the people of a gallery, on galleries drawn from a mixed crowd and on galleries
 * of people who are alike.
 * @returns null with fewer than 250 people
 */
export async function fitCohort(samples: readonly AcquiredSample[]): Promise<CohortCurve | null> {
  const people = [...byIdentity(samples).values()];
  if (people.length < LEAST) return null;
  const size = Math.min(GALLERY, MAX_COHORT, Math.floor(people.length * 0.6));
  const prior = moments(people.map(([first]) => first!.template));
  const mixed = await fitted(prior, drawGalleries(samples, size, DRAWS, 'fit'));
  const similar = await fitted(prior, drawNeighbourhoods(samples, NEAR, NEAR_ENROLLED, NEAR_DRAWS));
  return { ...prior, knots: mixed.knots, ...(similar.mean > prior.mean && { similar }) };
}

type Prior = Pick<CohortCurve, 'mean' | 'deviation'>;

/** @returns the mean product of two people of the galleries, and the FMR of normalised scores */
async function fitted(
  prior: Prior,
  galleries: readonly DrawnGallery[],
): Promise<NonNullable<CohortCurve['similar']>> {
  const scores: number[] = [];
  let mean = 0;
  for (const { references, probes } of galleries) {
    const templates = references.map(({ template }) => template);
    const cohort = (await measureCohort({ ...prior, knots: [] }, templates, { complete: true }))!;
    mean += cohort.product / galleries.length;
    for (const probe of probes) {
      const { query, scoreOf } = cohortProbe({ ...prior, knots: [] }, cohort, probe.template);
      for (const { identity, template } of references) {
        if (identity !== probe.identity) scores.push(scoreOf(innerProduct(query, template)));
      }
    }
  }
  const { knots } = fitCurve(Float64Array.from(scores).sort(), Number.POSITIVE_INFINITY);
  return { mean: round(mean), knots };
}

/** Mean and deviation of the products of different people. */
function moments(templates: readonly Float32Array[]): Prior {
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
