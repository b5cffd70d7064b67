import type { Engine } from '@wajah/engine';
import { impostorScores } from '../calibration/kinds.ts';
import { type Variant, variantOf } from '../coverings/variants.ts';
import type { LabelledPicture } from '../data/people-folder.ts';
import { areAlike, type Likeness } from '../data/strangers.ts';
import { type Figure, plain, type ReportSection, share, tally } from '../measure/figure.ts';
import { type Count, countAtLeast, countBelow } from '../metrics/scores.ts';
import { withProgress } from '../run/progress.ts';
import { distinct, regionsOf } from './subgroups.ts';
import { acquired, byIdentity, type Sample } from './templates.ts';

/** Claimed FMRs, and claimed false matches that a row must expect. */
const CLAIMS = [1e-2, 1e-3, 1e-4];
const ENOUGH = 3;
/** The similarity from which two faces match by default. */
const DEFAULT = 0.625;

type Stranger = Sample & Likeness;

/** @returns the similarity of two templates without a gallery */
type Compare = (a: Float32Array, b: Float32Array) => number;

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
  compare: Compare,
): ReportSection[] {
  return comparedPairs(samples, strangers).map(({ row, samples: own, counts }): ReportSection => {
    const pictures = acquired(own);
    const score = (i: number, j: number) => compare(pictures[i]!.template, pictures[j]!.template);
    const impostor = impostorScores(pictures, score, counts);
    const genuine = [...byIdentity(pictures).values()].flatMap((person) =>
      person.flatMap((a, i) => person.slice(0, i).map((b) => compare(a.template, b.template))),
    );
    const at = (threshold: number) =>
      share(`FNMR at similarity ${threshold}`, countBelow(genuine, threshold));
    const table = { title: 'Comparisons of two pictures', row };
    return { title: row, table, figures: [...claimFigures(impostor), at(0.6), at(DEFAULT), at(0.75)] };
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

/** Measured FMR at the similarities that claim one, and its distance from the claim in decades. */
export function claimFigures(sorted: Float64Array): Figure[] {
  return CLAIMS.map((claimed) => {
    const { events, trials } = countAtLeast(sorted, 0.25 - 0.125 * Math.log10(claimed));
    const what = `measured FMR where ${claimed} is claimed`;
    if (trials * claimed < ENOUGH) return plain(what, '–', `${events} of ${trials}: too few`);
    const decades = Math.log10(Math.max(events, 1) / trials / claimed);
    const value = `${decades >= 0 ? '+' : '−'}${Math.abs(decades).toFixed(2)} decades`;
    return plain(what, value, `${events} of ${trials}`);
  });
}

const wide = { covering: undefined, tight: false };
/** What leaves little of a face, as it is painted and damaged to tell it; `null`: the picture as taken. */
const KINDS: Readonly<Record<string, Variant | null>> = {
  'as taken': null,
  blurred: { ...wide, damage: 'blurred' },
  dark: { ...wide, damage: 'dark' },
  squeezed: { ...wide, damage: 'squeezed' },
  sunglasses: { ...wide, covering: 'sunglasses' },
  'mask and sunglasses': { ...wide, covering: 'mask and sunglasses' },
  'clear glasses': { ...wide, covering: 'spectacles' },
};

/** A picture of which perhaps little is left. */
interface Poor extends Likeness {
  readonly identity: string;
  readonly template: Float32Array;
  readonly isUnclear: boolean;
}

/** How often two pictures of a kind match at the default, one of each person: before and after pictures that say too little are refused. */
export async function poorSections(
  engine: Engine,
  pictures: readonly (LabelledPicture & Likeness)[],
): Promise<ReportSection[]> {
  const people = [...new Map(pictures.map((picture) => [picture.identity, picture])).values()];
  const kinds = Object.keys(KINDS).map((row) => ({ row, seen: [] as Poor[] }));
  await withProgress('poor pictures', people.length, async (step) => {
    for (const { read, ...person } of people) {
      const taken = read();
      const mesh = (await faceOf(engine, taken))?.mesh;
      for (const { row, seen } of mesh ? kinds : []) {
        const variant = KINDS[row];
        const bytes = variant ? await variantOf(taken, mesh!, variant, person.file) : taken;
        const face = bytes && (await faceOf(engine, bytes));
        if (face) {
          seen.push({ ...person, template: face.embedding!, isUnclear: face.unclear!.length > 0 });
        }
      }
      step();
    }
  });
  return kinds.map(({ row, seen }) => ({
    title: row,
    table: { title: `Impostor pairs of poor pictures that match at ${DEFAULT}`, row },
    figures: poorFigures(seen, engine.comparisonSimilarity),
  }));
}

async function faceOf(engine: Engine, bytes: Uint8Array) {
  const attributes = ['mesh', 'embedding', 'unclear'] as const;
  return (await engine.analyze(bytes, { attributes, maxFaces: 1, search: 'fast' })).faces[0];
}

/** Of two pictures one has to be clear (`compare-images`), of a picture and a reference the picture (`verify-face`). */
export function poorFigures(seen: readonly Poor[], compare: Compare): Figure[] {
  const matches = (
    isRefused: (i: number, j: number) => boolean,
    counts: typeof areAlike = () => true,
  ): Count => {
    const score = (i: number, j: number) =>
      isRefused(i, j) ? Number.NEGATIVE_INFINITY : compare(seen[i]!.template, seen[j]!.template);
    return countAtLeast(impostorScores(seen, score, counts), DEFAULT);
  };
  const isUnclear = (i: number) => seen[i]!.isUnclear;
  const both = (i: number, j: number) => isUnclear(i) && isUnclear(j);
  const [first, second] = [matches(isUnclear), matches((_, j) => isUnclear(j))];
  return [
    share(
      'people called unclear',
      tally(seen, (one) => one.isUnclear),
    ),
    share(
      'without refusals',
      matches(() => false),
    ),
    share('two pictures', matches(both)),
    share('two pictures of people who are alike', matches(both, areAlike)),
    share('a picture and a reference', {
      events: first.events + second.events,
      trials: first.trials + second.trials,
    }),
  ];
}
