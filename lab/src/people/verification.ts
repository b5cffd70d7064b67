import { type CalibrationCurve, similarityOf } from '@wajah/engine';
import { allPairs, type PairScores } from '../calibration/pairs.ts';
import { type Figure, plain, type ReportSection, share } from '../measure/figure.ts';
import { type Count, countAtLeast, fnmrAtFmr, rocArea } from '../metrics/scores.ts';
import { subgroupsOf } from './subgroups.ts';
import { acquired, byIdentity, type Sample } from './templates.ts';

/** FMRs that the FNMR is given at. */
const RATES = [1e-1, 1e-2, 1e-3, 1e-4] as const;
/** False matches that must be expected at an FMR for it to count as measured. */
const ENOUGH = 3;

/** Similarity threshold and calibration curve of a pack (null: none). */
export interface DecisionPolicy {
  readonly threshold: number;
  readonly curve: CalibrationCurve | null;
}

/** FNMR and FMR over all pairs, of all people and by subgroup. */
export function verificationSections(samples: readonly Sample[], operation: DecisionPolicy): ReportSection[] {
  const parts = subgroupsOf(samples).map(({ title, row, includes }): ReportSection => {
    const table = { title: 'All pairs', row };
    return { title: title ?? 'All pairs', table, figures: pairFigures(samples.filter(includes), operation) };
  });
  return [{ title: 'Data', figures: dataFigures(samples) }, ...parts];
}

/** Numbers of pictures and people, and the failure-to-acquire rate. */
export function dataFigures(samples: readonly Sample[]): Figure[] {
  const people = byIdentity(samples);
  const several = [...people.values()].filter((own) => own.length > 1).length;
  const missed = { events: samples.length - acquired(samples).length, trials: samples.length };
  return [
    plain('pictures', String(samples.length), `${people.size} people, ${several} with two pictures or more`),
    share('failure to acquire: no face detected (counted as a non-match)', missed),
  ];
}

function pairFigures(samples: readonly Sample[], { threshold, curve }: DecisionPolicy): Figure[] {
  const scores = scoresOf(samples);
  const { genuine, impostor } = scores;
  const blind = genuinePairs(samples) - genuine.length;
  const figures = [
    plain(
      'genuine pairs',
      String(genuine.length + blind),
      blind === 0 ? '' : `${blind} with a failure to acquire`,
    ),
    plain('impostor pairs', String(impostor.length), ''),
  ];
  if (genuine.length === 0 || impostor.length === 0) return figures;
  const withUnseen = Float64Array.from([
    ...new Array<number>(blind).fill(Number.NEGATIVE_INFINITY),
    ...genuine,
  ]);
  figures.push(plain('ROC area', rocArea(withUnseen, impostor).toFixed(5), ''));
  for (const rate of RATES) {
    const what = `FNMR at FMR ${rate.toExponential(0)}`;
    if (impostor.length * rate < ENOUGH) figures.push(plain(what, '–', 'too few impostor pairs'));
    else figures.push(share(what, withBlind(fnmrAtFmr(genuine, impostor, rate).falseNonMatches, blind)));
  }
  if (curve) figures.push(...figuresAt(scores, blind, threshold, curve));
  return figures;
}

/** FMR and FNMR at the threshold of the pack. */
function figuresAt(
  { genuine, impostor }: PairScores,
  blind: number,
  threshold: number,
  curve: CalibrationCurve,
): Figure[] {
  const similarity = (product: number) => similarityOf(curve, product);
  const accepted = countAtLeast(genuine.map(similarity), threshold);
  const refused = { events: accepted.trials - accepted.events, trials: accepted.trials };
  return [
    share(`FMR at similarity ${threshold}`, countAtLeast(impostor.map(similarity), threshold)),
    share(`FNMR at similarity ${threshold}`, withBlind(refused, blind)),
  ];
}

function withBlind(count: Count, blind: number): Count {
  return { events: count.events + blind, trials: count.trials + blind };
}

/** Scores of all pairs with two templates, as `allPairs`. */
export function scoresOf(samples: readonly Sample[]): PairScores {
  const templates = acquired(samples).map(({ identity, template }) => ({ identity, embedding: template }));
  return allPairs(templates);
}

function genuinePairs(samples: readonly Sample[]): number {
  let pairs = 0;
  for (const own of byIdentity(samples).values()) pairs += (own.length * (own.length - 1)) / 2;
  return pairs;
}

/** Claimed and measured FMR over all pairs and by subgroup. */
export function calibrationSections(samples: readonly Sample[], curve: CalibrationCurve): ReportSection[] {
  const title = 'Claimed and measured FMR';
  return subgroupsOf(samples).map((part) => ({
    title: part.title === null ? title : `${title}: ${part.title}`,
    table: { title, row: part.row },
    figures: calibrationFigures(samples.filter(part.includes), curve),
  }));
}

/** Measured FMR at the similarities that claim an FMR of 1e-1 to 1e-4, and its distance from the claim in decades. */
export function calibrationFigures(samples: readonly Sample[], curve: CalibrationCurve): Figure[] {
  const { impostor } = scoresOf(samples);
  return [1e-1, 1e-2, 1e-3, 1e-4].map((claimed) => {
    const at = 0.25 - 0.125 * Math.log10(claimed);
    const { events, trials } = countAtLeast(
      impostor.map((product) => similarityOf(curve, product)),
      at,
    );
    const what = `claimed FMR ${claimed.toExponential(0)} (similarity ${at.toFixed(3)})`;
    if (events < ENOUGH) return plain(what, '–', `${events} of ${trials} pairs: too few`);
    const decades = Math.log10(events / trials / claimed);
    return plain(
      what,
      `measured ${(events / trials).toExponential(2)}`,
      `${events} of ${trials} pairs; ${decades >= 0 ? '+' : '−'}${Math.abs(decades).toFixed(2)} decades`,
    );
  });
}
