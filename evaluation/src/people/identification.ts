import { createHash } from 'node:crypto';
import { type Curve, innerProduct, similarityOf } from '@wajah/engine';
import { type Figure, plain, share } from '../measure/figure.ts';
import { thresholdAtFmr } from '../metrics/scores.ts';
import type { ReportSection } from '../report.ts';
import { byIdentity, type FoundSample, found, type Sample } from './collect.ts';
import type { Operation } from './verification.ts';
import { dataFigures } from './verification.ts';

/** Shares of strangers taken for somebody that figures are given at. */
const RATES = [1e-1, 1e-2, 1e-3] as const;
const SIZES = [10, 30, 100, 300, 1000, 3000] as const;
/** Strangers that must be expected to get in for the share to count as measured. */
const ENOUGH = 1;
/** Small galleries are drawn so many times, from other people each time. */
const DRAWS = 10;
/** Share of strangers that the service accepts unless it is told otherwise. */
const FPIR = 0.01;

/** What searches of one size of gallery answered, over all draws. */
interface Searches {
  /** Of enrolled people: the score of their own, and whether it was the best; null without a face. */
  readonly mated: readonly ({ readonly own: number; readonly first: boolean } | null)[];
  /** Of strangers: the best score. */
  readonly strangers: Float64Array;
}

/** Searches in galleries of several sizes: the first picture of each person enrolled, all others searched for. */
export function identificationSections(samples: readonly Sample[], operation: Operation): ReportSection[] {
  const people = [...byIdentity(samples).entries()];
  const enrollable = people.filter(([, own]) => own.length > 1 && own[0]?.template);
  const sizes = SIZES.filter((size) => size < enrollable.length);
  const sections = [{ title: 'Data', figures: dataFigures(samples) }];
  for (const size of [...sizes, enrollable.length]) {
    if (size < 2) continue;
    const searches = search(people, enrollable, size);
    const title = `Gallery of ${size} people`;
    sections.push({ title, figures: searchFigures(searches, size, operation) });
  }
  return sections;
}

type Person = [identity: string, own: Sample[]];

function search(people: readonly Person[], enrollable: readonly Person[], size: number): Searches {
  const mated: ({ own: number; first: boolean } | null)[] = [];
  const strangers: number[] = [];
  const draws = size === enrollable.length ? 1 : DRAWS;
  for (let draw = 0; draw < draws; draw++) {
    const chosen = drawn(enrollable, size, draw);
    const gallery = chosen.map(([identity, own]) => ({ identity, template: own[0]!.template! }));
    const inside = new Set(chosen.map(([identity]) => identity));
    for (const [identity, own] of people) {
      if (!inside.has(identity)) strangers.push(...found(own).map((probe) => bestOf(gallery, probe)));
      else
        for (const probe of own.slice(1)) mated.push(probe.template && rank(gallery, probe as FoundSample));
    }
  }
  return { mated, strangers: Float64Array.from(strangers).sort() };
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

function rank(gallery: Gallery, probe: FoundSample): { own: number; first: boolean } {
  const mine = gallery.find(({ identity }) => identity === probe.identity)!;
  const own = innerProduct(mine.template, probe.template);
  return { own, first: own >= bestOf(gallery, probe) };
}

function searchFigures({ mated, strangers }: Searches, size: number, operation: Operation): Figure[] {
  const missed = (threshold: number, of: (score: number) => number = (score) => score) => ({
    events: mated.filter((one) => one === null || !one.first || of(one.own) < threshold).length,
    trials: mated.length,
  });
  const figures = [
    plain('searches', `${mated.length} of people enrolled`, `${strangers.length} of strangers`),
    share('not the first, at any threshold', missed(Number.NEGATIVE_INFINITY)),
  ];
  if (strangers.length === 0) return figures;
  for (const rate of RATES) {
    const what = `not found where 1 in ${Math.round(1 / rate)} strangers gets in (FNIR at FPIR ${rate.toExponential(0)})`;
    if (strangers.length * rate < ENOUGH) figures.push(plain(what, '–', 'too few strangers'));
    else figures.push(share(what, missed(thresholdAtFmr(strangers, rate))));
  }
  const { curve } = operation;
  if (curve) figures.push(...serviceFigures(strangers, missed, identifyThreshold(operation, size), curve));
  return figures;
}

/** At the threshold that the service would ask for in such a gallery. */
function serviceFigures(
  strangers: Float64Array,
  missed: (threshold: number, of: (score: number) => number) => { events: number; trials: number },
  threshold: number,
  curve: Curve,
): Figure[] {
  const similarity = (score: number) => similarityOf(curve, score);
  const taken = strangers.filter((score) => similarity(score) >= threshold).length;
  return [
    share(`strangers taken for somebody at ${threshold.toFixed(3)}`, {
      events: taken,
      trials: strangers.length,
    }),
    share(`not found at ${threshold.toFixed(3)}`, missed(threshold, similarity)),
  ];
}

function identifyThreshold({ threshold }: Operation, size: number): number {
  return Math.min(1, Math.max(threshold, 0.25 + 0.125 * Math.log10(size / FPIR)));
}
