import {
  alikeSimilarityOf,
  type CalibrationCurve,
  cohortProbe,
  comparisonSimilarityOf,
  innerProduct,
  measureCohort,
} from '@wajah/engine';
import { impostorScores } from '../calibration/kinds.ts';
import { areAlike, type Likeness } from '../data/strangers.ts';
import { type Figure, plain, type ReportSection, share } from '../measure/figure.ts';
import { countAtLeast, countBelow, fnmrAtFmr } from '../metrics/scores.ts';
import { distinct, regionsOf } from '../people/subgroups.ts';
import { type AcquiredSample, acquired, byIdentity, type Sample } from '../people/templates.ts';
import { scoresOf } from '../people/verification.ts';
import { type DrawnGallery, drawGalleries, drawNeighbourhoods } from './galleries.ts';

/** The collection of `portraits` with many people. */
const PORTRAITS = 'congress';
/** Sizes of mixed galleries, and of galleries of a region; the share of its people; neighbours and people enrolled. */
const SIZES = [1, 2, 3, 5, 10, 30, 100, 400];
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
const CLAIMS = [1e-2, 1e-3, 1e-4];
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
 * Claimed and measured error rates in galleries of a mixed crowd, of one region, of similar people and of people before
 * one camera, by the scores of the service: normalised from five people on. Nothing is known of whose a probe is.
 */
export async function cohortSections(
  samples: readonly Sample[],
  strangers: readonly Sample[],
  curve: CalibrationCurve,
): Promise<ReportSection[]> {
  const sections: ReportSection[] = [];
  const portraits = acquired(strangers).filter(({ subset }) => subset === PORTRAITS);
  for (const { row, galleries } of [...populations(acquired(samples)), ...sizedOf(portraits, 'portraits')]) {
    const figures = figuresOf(await answersOf(galleries, curve), galleries[0]!.references.length);
    sections.push({ title: row, table: { title: 'Galleries', row }, figures });
  }
  return sections;
}

interface Population {
  readonly row: string;
  readonly galleries: DrawnGallery[];
}

const draws = (size: number) => Math.ceil(DRAWN / size);

function sizedOf(samples: readonly AcquiredSample[], name: string): Population[] {
  const people = byIdentity(samples).size;
  return SIZES.filter((size) => size < people).map((size) => ({
    row: `${name}, ${size}`,
    galleries: drawGalleries(samples, size, draws(size), name),
  }));
}

function populations(samples: readonly AcquiredSample[]): Population[] {
  const people = byIdentity(samples).size;
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
  return [...sizedOf(samples, 'mixed'), ...regions, ...near];
}

async function answersOf(galleries: readonly DrawnGallery[], curve: CalibrationCurve): Promise<Answers> {
  const all: Answers = { genuine: [], impostor: [], nonMated: [], mated: [] };
  for (const { references, probes } of galleries) {
    const compare = await comparison(references, curve);
    for (const probe of probes) addAnswer(all, references, probe, compare(probe.template));
  }
  return all;
}

/** In galleries that are too small scores are those of strangers who are alike, as in the service. */
async function comparison(references: readonly AcquiredSample[], curve: CalibrationCurve): Promise<Compare> {
  const templates = references.map(({ template }) => template);
  const { cohort: cohortCurve } = curve;
  const cohort = cohortCurve && (await measureCohort(cohortCurve, templates, { complete: true }));
  if (!cohort || !cohortCurve) {
    return (probe) => templates.map((template) => alikeSimilarityOf(curve, innerProduct(probe, template)));
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

type Stranger = Sample & Likeness;

/** Pairs of some people. */
interface Compared {
  readonly row: string;
  readonly samples: readonly Stranger[];
  counts(a: Stranger, b: Stranger): boolean;
}

/** Claimed and measured FMR of comparisons of two pictures: of anybody, of a region, and before one camera by sex and origin. */
export function comparisonSections(
  samples: readonly Sample[],
  strangers: readonly Stranger[],
  curve: CalibrationCurve,
): ReportSection[] {
  const compare = (a: Float32Array, b: Float32Array) => comparisonSimilarityOf(curve, a, b);
  return comparedPairs(samples, strangers).map(({ row, samples: own, counts }): ReportSection => {
    const pictures = acquired(own);
    const score = (i: number, j: number) => compare(pictures[i]!.template, pictures[j]!.template);
    const impostor = impostorScores(pictures, score, counts);
    const { genuine } = scoresOf(own, compare);
    const at = (threshold: number) =>
      share(`FNMR at similarity ${threshold}`, countBelow(genuine, threshold));
    const table = { title: 'Comparisons of two pictures', row };
    return { title: row, table, figures: [...claimFigures(impostor), at(0.6), at(0.625), at(0.75)] };
  });
}

function comparedPairs(samples: readonly Sample[], strangers: readonly Stranger[]): Compared[] {
  const anybody = samples.map((sample) => ({ ...sample, group: null }));
  const ofOrigin = (a: Stranger, b: Stranger) => areAlike(a, b) && a.ethnicity === b.ethnicity;
  const studio = strangers.filter(({ ethnicity }) => ethnicity !== undefined);
  return [
    { row: 'anybody', samples: anybody, counts: () => true },
    ...regionsOf(samples).map(({ row, includes }) => {
      return { row, samples: anybody.filter(includes), counts: () => true };
    }),
    ...distinct(strangers.map(({ group }) => group)).map((name) => {
      return { row: name, samples: strangers.filter(({ group }) => group === name), counts: areAlike };
    }),
    ...distinct(studio.map(({ ethnicity }) => ethnicity ?? null)).map((name) => {
      const own = studio.filter(({ ethnicity }) => ethnicity === name);
      return { row: `studio, one sex, ${name}`, samples: own, counts: ofOrigin };
    }),
    { row: 'studio, one sex and origin', samples: studio, counts: ofOrigin },
    { row: 'studio, different', samples: studio, counts: (a, b) => !ofOrigin(a, b) },
  ];
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
