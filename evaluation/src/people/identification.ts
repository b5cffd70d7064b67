import { createHash } from 'node:crypto';
import { innerProduct, similarityOf } from '@wajah/engine';
import { type Figure, plain, share, tally } from '../measure/figure.ts';
import type { ReportSection } from '../measure/report-section.ts';
import { thresholdAtFmr } from '../metrics/scores.ts';
import { byIdentity, type FoundSample, found, type Sample } from './collect.ts';
import { partsOf } from './parts.ts';
import { dataFigures, type Operation } from './verification.ts';

/** Shares of strangers taken for somebody that figures are given at. */
const RATES = [1e-1, 1e-2, 1e-3] as const;
const SIZES = [10, 30, 100, 300, 1000, 3000] as const;
/** Strangers that must be expected to get in for the share to count as measured. */
const ENOUGH = 1;
/** Small galleries are drawn so many times, from other people each time. */
const DRAWS = 10;
/** Share of strangers that the service accepts unless it is told otherwise. */
const FPIR = 0.01;

/** The answer to a search for somebody who is enrolled. */
interface Mated {
  readonly probe: Sample;
  /** Score of the own template, and whether it was the best; null without a face. */
  readonly answer: { readonly own: number; readonly first: boolean } | null;
}

/** What searches of one size of gallery answered, over all draws. */
interface Searches {
  readonly mated: readonly Mated[];
  /** Of people who are not enrolled: the best score. */
  readonly strangers: readonly { readonly probe: Sample; readonly best: number }[];
}

/**
 * Searches in galleries of several sizes: the first picture of each person enrolled, all others searched for; in the
 * largest one also by part of the people who are searched for.
 */
export function identificationSections(samples: readonly Sample[], operation: Operation): ReportSection[] {
  const people = [...byIdentity(samples).entries()];
  const enrollable = people.filter(([, own]) => own.length > 1 && own[0]?.template);
  const sizes = [...SIZES.filter((size) => size < enrollable.length), enrollable.length].filter((n) => n > 1);
  const sections: ReportSection[] = [{ title: 'Data', figures: dataFigures(samples) }];
  for (const size of sizes) {
    const searches = search(people, enrollable, size);
    const table = { title: 'By size of the gallery', row: String(size) };
    const figures = searchFigures(searches, searches, size, operation);
    sections.push({ title: `Gallery of ${size} people`, table, figures });
    if (size === enrollable.length) sections.push(...partSections(samples, searches, size, operation));
  }
  return sections;
}

/** Thresholds are those of all strangers: a gallery has one for everybody. */
function partSections(samples: readonly Sample[], all: Searches, size: number, operation: Operation) {
  return partsOf(samples).flatMap(({ title, row, of }): ReportSection[] => {
    if (title === null) return [];
    const own = {
      mated: all.mated.filter(({ probe }) => of(probe)),
      strangers: all.strangers.filter(({ probe }) => of(probe)),
    };
    const table = { title: `By people searched for, gallery of ${size}`, row };
    return [{ title: `${title} in it`, table, figures: searchFigures(own, all, size, operation) }];
  });
}

type Person = [identity: string, own: Sample[]];

function search(people: readonly Person[], enrollable: readonly Person[], size: number): Searches {
  const mated: Mated[] = [];
  const strangers: { probe: Sample; best: number }[] = [];
  const draws = size === enrollable.length ? 1 : DRAWS;
  for (let draw = 0; draw < draws; draw++) {
    const chosen = drawn(enrollable, size, draw);
    const gallery = chosen.map(([identity, own]) => ({ identity, template: own[0]!.template! }));
    const inside = new Set(chosen.map(([identity]) => identity));
    for (const [identity, own] of people) {
      if (inside.has(identity)) {
        mated.push(...own.slice(1).map((probe) => ({ probe, answer: rank(gallery, probe) })));
      } else strangers.push(...found(own).map((probe) => ({ probe, best: bestOf(gallery, probe) })));
    }
  }
  return { mated, strangers };
}

/** People in an order that depends on nothing but their names and the number of the draw. */
function drawn(people: readonly Person[], size: number, draw: number): Person[] {
  const key = ([identity]: Person) => createHash('sha256').update(`${draw} ${identity}`).digest('hex');
  return people
    .map((person) => ({ person, key: key(person) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, size)
    .map(({ person }) => person);
}

type Gallery = readonly { readonly identity: string; readonly template: Float32Array }[];

function bestOf(gallery: Gallery, { template }: FoundSample): number {
  return gallery.reduce((best, one) => Math.max(best, innerProduct(one.template, template)), -1);
}

function rank(gallery: Gallery, { identity, template, ...probe }: Sample): Mated['answer'] {
  if (template === null) return null;
  const mine = gallery.find((one) => one.identity === identity)!;
  const own = innerProduct(mine.template, template);
  return { own, first: own >= bestOf(gallery, { ...probe, identity, template }) };
}

/** @param all the searches that say which threshold lets a share of strangers in */
function searchFigures(
  { mated, strangers }: Searches,
  all: Searches,
  size: number,
  operation: Operation,
): Figure[] {
  const missed = (threshold: number, of: (score: number) => number = (score) => score) =>
    tally(mated, ({ answer }) => answer === null || !answer.first || of(answer.own) < threshold);
  const figures = [
    plain('searches', `${mated.length} of people enrolled`, `${strangers.length} of strangers`),
    share('not the first, at any threshold', missed(Number.NEGATIVE_INFINITY)),
  ];
  const scores = Float64Array.from(all.strangers, ({ best }) => best).sort();
  if (scores.length === 0) return figures;
  for (const rate of RATES) {
    const what = `not found where 1 in ${Math.round(1 / rate)} strangers gets in (FNIR at FPIR ${rate.toExponential(0)})`;
    if (scores.length * rate < ENOUGH) figures.push(plain(what, '–', 'too few strangers'));
    else figures.push(share(what, missed(thresholdAtFmr(scores, rate))));
  }
  const { curve } = operation;
  if (!curve) return figures;
  const threshold = identifyThreshold(operation, size);
  const similarity = (score: number) => similarityOf(curve, score);
  return [
    ...figures,
    plain('threshold of the service', threshold.toFixed(3), ''),
    share(
      'strangers taken for somebody at it',
      tally(strangers, ({ best }) => similarity(best) >= threshold),
    ),
    share('not found at it', missed(threshold, similarity)),
  ];
}

/** Similarity that the service asks for in a gallery of this size. */
export function identifyThreshold({ threshold }: Pick<Operation, 'threshold'>, size: number): number {
  return Math.min(1, Math.max(threshold, 0.25 + 0.125 * Math.log10(size / FPIR)));
}
