import { join } from 'node:path';
import {
  type Engine,
  meanSpoofScore,
  meanSpoofThreshold,
  type PadNetworkScore,
  SPOOF_THRESHOLD,
} from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { plain, type ReportSection } from '../measure/figure.ts';
import { personFigure } from '../measure/person-figure.ts';
import { thresholdAtBpcer } from '../metrics/scores.ts';
import { seeded } from '../recapture/random.ts';
import { extractFrames } from '../sessions/film.ts';
import type { Species } from './presentation.ts';
import { type Verdict, verdictOf } from './response.ts';

/** A frame of a camera with its score. */
export interface ScoredFrame {
  readonly person: string;
  readonly collection: string;
  /** Null: bona fide. */
  readonly species: Species | null;
  readonly framing: 'frame' | 'crop';
  readonly verdict: Verdict;
  /** Null without a face. */
  readonly score: number | null;
  readonly networks: readonly PadNetworkScore[];
}

/**
 * What was decided with pictures of `dev` in view. Each such decision flatters the figures of `dev`; the nested figures
 * account for the thresholds alone. Weights, caps and the room around a head are of the authors of the networks or were
 * chosen on other pictures.
 */
const DECISIONS: readonly (readonly [what: string, count: number])[] = [
  ['threshold of single pictures: at most 3 % of the people', 1],
  ['threshold of unclear captures: odds of e to 1', 1],
  ['threshold of means of three frames or more', 1],
  ['means over frames and networks, in place of the higher of both networks', 1],
  ['limits of an unclear capture: dark, small, tight, blurred, noisy', 5],
  ['room around a head, measured by the shorter side; from what on it counts', 2],
  ['which networks: none for a wide crop, the later training of the close one', 2],
  ['the near network judges a second crop, mirrored', 1],
  ['the close crop is filtered, and black beyond a tight crop', 2],
  ['a face that is an attack with a black border alone is tight', 1],
];

/** BPCER that the left-out thresholds are chosen for: of single frames and of means. */
const BPCER = { single: 0.03, mean: 0.02 } as const;
const MEANS = [3, 5, 10] as const;
/** Means that are drawn of each person. */
const DRAWS = 200;

/**
 * Error rates at the thresholds of the product, and at thresholds that were chosen without what they are applied to: for
 * single frames each collection is left out, for means each person.
 */
export function nestedSections(frames: readonly ScoredFrame[]): ReportSection[] {
  const usable = frames.filter(
    ({ framing, score, species }) => framing === 'frame' && score !== null && species !== 'generated',
  );
  // As in a session, whose mean is of frames with a verdict.
  const clear = usable.filter(({ verdict }) => verdict !== 'unclear');
  const single = usable.map(({ score, ...frame }) => ({ ...frame, score: score! }));
  const sections = [
    ratesOf('Single frames', single, SPOOF_THRESHOLD, BPCER.single, ({ collection }) => collection),
    ...MEANS.map((count) =>
      ratesOf(
        `Means of ${count} frames`,
        meansOf(clear, count),
        meanSpoofThreshold(count),
        BPCER.mean,
        ({ person }) => person,
      ),
    ),
  ];
  const count = DECISIONS.reduce((sum, [, decisions]) => sum + decisions, 0);
  const listed = DECISIONS.map(([what]) => what).join('; ');
  const decisions = plain('decisions taken on dev', String(count), listed);
  return [
    ...sections.filter(({ figures }) => figures.length > 0),
    { title: 'Decisions', figures: [decisions] },
  ];
}

type Scored = Omit<ScoredFrame, 'score'> & { readonly score: number };

function ratesOf(
  title: string,
  scored: readonly Scored[],
  threshold: number,
  bpcer: number,
  groupOf: (one: Scored) => string,
): ReportSection {
  const [bonaFide, attacks] = [scored.filter(isBonaFide), scored.filter((one) => !isBonaFide(one))];
  if (bonaFide.length === 0) return { title, figures: [] };
  const leftOut = leftOutThresholds(bonaFide, scored, bpcer, groupOf);
  const at = threshold.toFixed(2);
  const refusedByOthers = (one: Scored) => one.score >= leftOut.get(groupOf(one))!;
  return {
    title,
    figures: [
      personFigure(`BPCER at ${at}`, bonaFide, ({ score }) => score >= threshold),
      personFigure(`APCER at ${at}`, attacks, ({ score }) => score < threshold),
      personFigure(`BPCER, threshold of the others for ${100 * bpcer} %`, bonaFide, refusedByOthers),
      personFigure(
        `APCER, threshold of the others for ${100 * bpcer} %`,
        attacks,
        (one) => !refusedByOthers(one),
      ),
    ],
  };
}

const isBonaFide = ({ species }: Pick<Scored, 'species'>) => species === null;

/** For each group the threshold that the bona fide presentations of all others choose. */
function leftOutThresholds(
  bonaFide: readonly Scored[],
  all: readonly Scored[],
  bpcer: number,
  groupOf: (one: Scored) => string,
): ReadonlyMap<string, number> {
  return new Map(
    [...new Set(all.map(groupOf))].map((group) => {
      const others = bonaFide.filter((one) => groupOf(one) !== group);
      const scores = others.map(({ score }) => score);
      return [group, scores.length === 0 ? SPOOF_THRESHOLD : thresholdAtBpcer(scores, bpcer)];
    }),
  );
}

/** Means of so many frames of one person, drawn at random of those who have so many; attacks likewise. */
function meansOf(frames: readonly ScoredFrame[], count: number): Scored[] {
  const groups = new Map<string, ScoredFrame[]>();
  for (const frame of frames) {
    const key = `${frame.person} ${frame.species}`;
    groups.set(key, [...(groups.get(key) ?? []), frame]);
  }
  return [...groups].flatMap(([key, own]) => {
    if (own.length < count) return [];
    const random = seeded(`${key} ${count}`);
    return Array.from({ length: DRAWS }, () => {
      const drawn = own.map((frame) => ({ frame, at: random.between(0, 1) }));
      const chosen = drawn
        .sort((a, b) => a.at - b.at)
        .slice(0, count)
        .map(({ frame }) => frame);
      return { ...own[0]!, score: meanSpoofScore(chosen) };
    });
  });
}

/** Frames a second that are taken from films, and from films of people who only speak. */
const RATE = { films: 2, selfies: 1 } as const;

/** Frames of the films of a split, analysed as the service does. @throws Error when ffmpeg is missing */
export async function filmFrames(
  engine: Pick<Engine, 'analyze'>,
  folder: EvalFolder,
  split: Split,
): Promise<ScoredFrame[]> {
  const films = folder.has('films') ? folder.entries('films', split) : [];
  const selfies = folder.has('selfies')
    ? folder.entries('selfies', split).filter(({ kind }) => kind === 'film')
    : [];
  const sources = [
    ...films.map(({ file, person, label }) => ({
      path: join(folder.root, 'films', file),
      rate: RATE.films,
      person: label === 'real' ? person : file,
      collection: 'films',
      species: label === 'real' ? null : ('phone' as const),
    })),
    ...selfies.map(({ file, identity }) => ({
      path: join(folder.root, 'selfies', file),
      rate: RATE.selfies,
      person: identity,
      collection: 'selfies',
      species: null,
    })),
  ];
  const scored: ScoredFrame[] = [];
  for (const { path, rate, ...about } of sources) {
    for (const frame of await extractFrames(path, rate, 'png')) {
      const { faces } = await engine.analyze(frame, { attributes: ['spoof'], maxFaces: 1, search: 'fast' });
      const spoof = faces[0]?.spoof;
      const { score = null, networks = [] } = spoof ?? {};
      const verdict = spoof ? verdictOf(spoof) : 'none';
      scored.push({ ...about, framing: 'frame', verdict, score, networks });
    }
  }
  return scored;
}
