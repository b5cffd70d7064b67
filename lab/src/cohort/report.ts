import {
  type CalibrationCurve,
  cohortProbe,
  comparisonSimilarityOf,
  innerProduct,
  measureCohort,
  similarityOf,
} from '@wajah/engine';
import { type Figure, plain, type ReportSection, share } from '../measure/figure.ts';
import { countAtLeast, countBelow, fnmrAtFmr } from '../metrics/scores.ts';
import { regionsOf } from '../people/subgroups.ts';
import { type AcquiredSample, acquired, byIdentity, type Sample } from '../people/templates.ts';
import { scoresOf } from '../people/verification.ts';
import { type DrawnGallery, drawGalleries, drawNeighbourhoods } from './galleries.ts';

/** Sizes of mixed galleries, and of galleries of a region; the share of its people; neighbours and people enrolled. */
const SIZES = [5, 10, 30, 100, 400];
const REGION_SIZE = 5;
const REGION_SHARE = 0.8;
const NEIGHBOURHOODS = [
  [30, 20],
  [60, 40],
  [150, 100],
  [400, 300],
] as const;
/** About so many people are drawn for each row. */
const DRAWN = 800;
/** Claimed FMRs, and claimed false matches that a row must expect. */
const CLAIMS = [1e-2, 1e-3];
const ENOUGH = 3;
/** FPIR that is claimed, and compared at. */
const FPIR = 0.01;
/** FMRs that the FNMR is compared at. */
const FMRS = [1e-3, 1e-4];

/** Compares a probe with each reference of a gallery. @returns similarities */
type Compare = (probe: Float32Array) => readonly number[];

/** Similarities of all probes of some galleries. */
interface Answers {
  readonly genuine: number[];
  readonly impostor: number[];
  /** The highest of each probe whose person is not enrolled. */
  readonly nonMated: number[];
  /** That of each other probe's own person; −1 where another person's is higher. */
  readonly mated: number[];
}

/**
 * Claimed and measured error rates in galleries of a mixed crowd, of one region and of similar people, with scores of
 * inner products and with scores normalised by the gallery's people. Nothing is known of whose a probe is.
 */
export async function cohortSections(
  samples: readonly Sample[],
  curve: CalibrationCurve,
): Promise<ReportSection[]> {
  const sections: ReportSection[] = [];
  for (const { row, galleries } of populations(acquired(samples))) {
    for (const normalised of [false, true]) {
      const answers = await answersOf(galleries, curve, normalised);
      const people = galleries[0]!.references.length;
      const name = `${row}, ${normalised ? 'normalised' : 'inner product'}`;
      const table = { title: 'Scores normalised by the gallery', row: name };
      sections.push({ title: name, table, figures: figuresOf(answers, people) });
    }
  }
  return sections;
}

function populations(samples: readonly AcquiredSample[]): { row: string; galleries: DrawnGallery[] }[] {
  const people = byIdentity(samples).size;
  const draws = (size: number) => Math.ceil(DRAWN / size);
  const mixed = SIZES.filter((size) => size < people).map((size) => ({
    row: `mixed, ${size}`,
    galleries: drawGalleries(samples, size, draws(size), 'mixed'),
  }));
  const regions = regionsOf(samples).flatMap(({ row, includes }) => {
    const own = samples.filter(includes);
    const most = Math.round(byIdentity(own).size * REGION_SHARE);
    const sizes = [...new Set([REGION_SIZE, most])].filter((size) => size <= most);
    return sizes.map((size) => ({
      row: `${row}, ${size}`,
      galleries: drawGalleries(own, size, draws(size), row),
    }));
  });
  const near = NEIGHBOURHOODS.filter(([among]) => among < people).map(([among, size]) => ({
    row: `${among} nearest neighbours, ${size}`,
    galleries: drawNeighbourhoods(samples, among, size, draws(size)),
  }));
  return [...mixed, ...regions, ...near];
}

async function answersOf(
  galleries: readonly DrawnGallery[],
  curve: CalibrationCurve,
  normalised: boolean,
): Promise<Answers> {
  const all: Answers = { genuine: [], impostor: [], nonMated: [], mated: [] };
  for (const { references, probes } of galleries) {
    const compare = await comparison(references, curve, normalised);
    for (const probe of probes) addAnswer(all, references, probe, compare(probe.template));
  }
  return all;
}

/** In galleries that are too small scores are those of inner products, as in the service. */
async function comparison(
  references: readonly AcquiredSample[],
  curve: CalibrationCurve,
  normalised: boolean,
): Promise<Compare> {
  const templates = references.map(({ template }) => template);
  const { cohort: cohortCurve } = curve;
  const cohort =
    normalised && cohortCurve ? await measureCohort(cohortCurve, templates, { complete: true }) : null;
  if (!cohort || !cohortCurve) {
    return (probe) => templates.map((template) => similarityOf(curve, innerProduct(probe, template)));
  }
  return (probe) => {
    const { query, similarityOf: similarity } = cohortProbe(cohortCurve, cohort, probe);
    return templates.map((template) => similarity(innerProduct(query, template)));
  };
}

function addAnswer(
  all: Answers,
  references: readonly AcquiredSample[],
  { identity }: AcquiredSample,
  similarities: readonly number[],
): void {
  let [own, best] = [-1, -1];
  references.forEach((reference, i) => {
    const similarity = similarities[i]!;
    const isOwn = reference.identity === identity;
    (isOwn ? all.genuine : all.impostor).push(similarity);
    if (isOwn) own = similarity;
    else best = Math.max(best, similarity);
  });
  if (own < 0) all.nonMated.push(best);
  else all.mated.push(best > own ? -1 : own);
}

function figuresOf({ genuine, impostor, nonMated, mated }: Answers, people: number): Figure[] {
  const sorted = Float64Array.from(impostor).sort();
  const threshold = 0.25 - 0.125 * Math.log10(FPIR / people);
  const equal = FMRS.map((fmr) => {
    const what = `FNMR at FMR ${fmr.toExponential(0)}`;
    return sorted.length * fmr < ENOUGH
      ? plain(what, '–', 'too few impostor pairs')
      : share(what, fnmrAtFmr(genuine, sorted, fmr).falseNonMatches);
  });
  const fnir = 'FNIR at FPIR 1 %';
  return [
    ...claimFigures(sorted),
    ...equal,
    share('FNMR at similarity 0.625', countBelow(genuine, 0.625)),
    share('FNMR at similarity 0.75', countBelow(genuine, 0.75)),
    share('FPIR where 1 % is claimed', countAtLeast(nonMated, threshold)),
    share('FNIR there', countBelow(mated, threshold)),
    nonMated.length * FPIR < ENOUGH
      ? plain(fnir, '–', 'too few non-mated searches')
      : share(fnir, fnmrAtFmr(mated, Float64Array.from(nonMated).sort(), FPIR).falseNonMatches),
  ];
}

/** Claimed and measured FMR of comparisons of two pictures, by the curve of everybody's pairs and by that of comparisons. */
export function comparisonSections(samples: readonly Sample[], curve: CalibrationCurve): ReportSection[] {
  const curves = [
    {
      name: "everybody's pairs",
      compare: (a: Float32Array, b: Float32Array) => similarityOf(curve, innerProduct(a, b)),
    },
    {
      name: 'comparisons',
      compare: (a: Float32Array, b: Float32Array) => comparisonSimilarityOf(curve, a, b),
    },
  ];
  const everybody = { row: 'all', includes: () => true };
  return [everybody, ...regionsOf(samples)].flatMap(({ row, includes }) =>
    curves.map(({ name, compare }): ReportSection => {
      const { genuine, impostor } = scoresOf(samples.filter(includes), compare);
      const at = (threshold: number) =>
        share(`FNMR at similarity ${threshold}`, countBelow(genuine, threshold));
      const title = `${row}, ${name}`;
      const table = { title: 'Comparisons of two pictures', row: title };
      return { title, table, figures: [...claimFigures(impostor), at(0.6), at(0.625), at(0.75)] };
    }),
  );
}

function claimFigures(sorted: Float64Array): Figure[] {
  return CLAIMS.map((claimed) => {
    const { events, trials } = countAtLeast(sorted, 0.25 - 0.125 * Math.log10(claimed));
    const what = `measured FMR where ${claimed} is claimed`;
    if (trials * claimed < ENOUGH) return plain(what, '–', `${events} of ${trials}: too few`);
    const decades = Math.log10(Math.max(events, 1) / trials / claimed);
    const value = `${decades >= 0 ? '+' : '−'}${Math.abs(decades).toFixed(2)} decades`;
    return plain(what, value, `${events} of ${trials}`);
  });
}
