import {
  alikeSimilarityOf,
  type CalibrationCurve,
  cohortProbe,
  innerProduct,
  measureCohort,
} from '@wajah/engine';
import { type Figure, plain, type ReportSection, share } from '../measure/figure.ts';
import { countAtLeast, countBelow, fnmrAtFmr } from '../metrics/scores.ts';
import { claimFigures } from '../people/claims.ts';
import { regionsOf } from '../people/subgroups.ts';
import { type AcquiredSample, acquired, byIdentity, type Sample } from '../people/templates.ts';
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
/** False matches that a row must expect. */
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
