import { createHash } from 'node:crypto';
import { HIGHEST_SIMILARITY, innerProduct, similarityOf } from '@wajah/engine';
import { type Figure, plain, type ReportSection, share, tally } from '../measure/figure.ts';
import { thresholdAtFmr } from '../metrics/scores.ts';
import { subgroupsOf } from './subgroups.ts';
import { type AcquiredSample, acquired, byIdentity, type Sample } from './templates.ts';
import { type DecisionPolicy, dataFigures } from './verification.ts';

/** FPIRs that the FNIR is given at. */
const RATES = [1e-1, 1e-2, 1e-3] as const;
const SIZES = [10, 30, 100, 300, 1000, 3000] as const;
/** False positives that must be expected at an FPIR for it to count as measured. */
const ENOUGH = 1;
/** Times that a gallery smaller than the largest is drawn, each time of other people. */
const DRAWS = 10;
/** The service's default, `WAJAH_IDENTIFY_FPIR`. */
const FPIR = 0.01;

/** A search whose probe is of an enrolled person. */
interface Mated {
  readonly probe: Sample;
  /** Inner product with the person's reference, and whether it is the highest; null without a face. */
  readonly answer: { readonly own: number; readonly first: boolean } | null;
}

/** Searches in galleries of one size, over all draws. */
interface Searches {
  readonly mated: readonly Mated[];
  /** The first two probes of each enrolled person who has two: who is not identified looks into the camera again. */
  readonly twice: readonly (readonly [Mated, Mated])[];
  /** Searches whose probe is of a person who is not enrolled, with the highest inner product. */
  readonly nonMated: readonly { readonly probe: Sample; readonly best: number }[];
}

/**
 * FNIR and FPIR in galleries of several sizes: the first picture of each person is the reference, all others are probes.
 * For the largest gallery also by subset and region of the probe.
 */
export function identificationSections(
  samples: readonly Sample[],
  operation: DecisionPolicy,
): ReportSection[] {
  const people = [...byIdentity(samples).entries()];
  const enrollable = people.filter(([, own]) => own.length > 1 && own[0]?.template);
  const sizes = [...SIZES.filter((size) => size < enrollable.length), enrollable.length].filter((n) => n > 1);
  const sections: ReportSection[] = [{ title: 'Data', figures: dataFigures(samples) }];
  for (const size of sizes) {
    const searches = search(people, enrollable, size);
    const table = { title: 'By gallery size', row: String(size) };
    const figures = searchFigures(searches, searches, size, operation);
    sections.push({ title: `Gallery of ${size} people`, table, figures });
    if (size === enrollable.length) sections.push(...partSections(samples, searches, size, operation));
  }
  return sections;
}

/** Thresholds are those of all non-mated searches, as a gallery has one threshold. */
function partSections(samples: readonly Sample[], all: Searches, size: number, operation: DecisionPolicy) {
  return subgroupsOf(samples).flatMap(({ title, row, includes }): ReportSection[] => {
    if (title === null) return [];
    const own = {
      twice: all.twice.filter(([{ probe }]) => includes(probe)),
      mated: all.mated.filter(({ probe }) => includes(probe)),
      nonMated: all.nonMated.filter(({ probe }) => includes(probe)),
    };
    const table = { title: `By probe group, gallery of ${size}`, row };
    return [
      {
        title: `${title}, gallery of ${size} people`,
        table,
        figures: searchFigures(own, all, size, operation),
      },
    ];
  });
}

type Person = [identity: string, own: Sample[]];

function search(people: readonly Person[], enrollable: readonly Person[], size: number): Searches {
  const mated: Mated[] = [];
  const twice: [Mated, Mated][] = [];
  const nonMated: { probe: Sample; best: number }[] = [];
  const draws = size === enrollable.length ? 1 : DRAWS;
  for (let draw = 0; draw < draws; draw++) {
    const chosen = drawn(enrollable, size, draw);
    const gallery = chosen.map(([identity, own]) => ({ identity, template: own[0]!.template! }));
    const inside = new Set(chosen.map(([identity]) => identity));
    for (const [identity, own] of people) {
      if (inside.has(identity)) {
        const searches = own.slice(1).map((probe) => ({ probe, answer: rank(gallery, probe) }));
        const [first, second] = searches;
        mated.push(...searches);
        if (first && second) twice.push([first, second]);
      } else nonMated.push(...acquired(own).map((probe) => ({ probe, best: bestOf(gallery, probe) })));
    }
  }
  return { mated, twice, nonMated };
}

/** A sample of people that depends only on their names and the number of the draw. */
function drawn(people: readonly Person[], size: number, draw: number): Person[] {
  const key = ([identity]: Person) => createHash('sha256').update(`${draw} ${identity}`).digest('hex');
  return people
    .map((person) => ({ person, key: key(person) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, size)
    .map(({ person }) => person);
}

type Gallery = readonly { readonly identity: string; readonly template: Float32Array }[];

function bestOf(gallery: Gallery, { template }: AcquiredSample): number {
  return gallery.reduce((best, one) => Math.max(best, innerProduct(one.template, template)), -1);
}

function rank(gallery: Gallery, { identity, template, ...probe }: Sample): Mated['answer'] {
  if (template === null) return null;
  const mine = gallery.find((one) => one.identity === identity)!;
  const own = innerProduct(mine.template, template);
  return { own, first: own >= bestOf(gallery, { ...probe, identity, template }) };
}

/** @param all the searches whose non-mated probes determine the threshold of each FPIR */
function searchFigures(
  { mated, twice, nonMated }: Searches,
  all: Searches,
  size: number,
  operation: DecisionPolicy,
): Figure[] {
  const isMissed = ({ answer }: Mated, threshold: number, of: (score: number) => number) =>
    answer === null || !answer.first || of(answer.own) < threshold;
  const missed = (threshold: number, of: (score: number) => number = (score) => score) =>
    tally(mated, (search) => isMissed(search, threshold, of));
  const figures = [
    plain('searches', `${mated.length} mated`, `${nonMated.length} non-mated`),
    share('mated probes not at rank 1, without a threshold', missed(Number.NEGATIVE_INFINITY)),
  ];
  const scores = Float64Array.from(all.nonMated, ({ best }) => best).sort();
  if (scores.length === 0) return figures;
  for (const rate of RATES) {
    const what = `FNIR at FPIR ${rate.toExponential(0)}`;
    if (scores.length * rate < ENOUGH) figures.push(plain(what, '–', 'too few non-mated searches'));
    else figures.push(share(what, missed(thresholdAtFmr(scores, rate))));
  }
  const { curve } = operation;
  if (!curve) return figures;
  const threshold = identifyThreshold(operation, size);
  const similarity = (score: number) => similarityOf(curve, score);
  return [
    ...figures,
    plain('service threshold (similarity)', threshold.toFixed(3), ''),
    share(
      'FPIR at the service threshold',
      tally(nonMated, ({ best }) => similarity(best) >= threshold),
    ),
    share('FNIR at the service threshold', missed(threshold, similarity)),
    share(
      'both of two probes of a person missed',
      tally(twice, (both) => both.every((search) => isMissed(search, threshold, similarity))),
    ),
  ];
}

/** Identification threshold of the service, a similarity, for a gallery of `size` people. */
export function identifyThreshold({ threshold }: Pick<DecisionPolicy, 'threshold'>, size: number): number {
  return Math.max(threshold, Math.min(HIGHEST_SIMILARITY, 0.25 + 0.125 * Math.log10(size / FPIR)));
}
