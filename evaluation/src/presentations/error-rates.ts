import { type Figure, plain } from '../measure/figure.ts';
import { personFigure } from '../measure/person-figure.ts';
import { rocArea } from '../metrics/scores.ts';
import type { Response, Verdict } from './response.ts';

/**
 * Share of the responses with a verdict, of those with a detected face: APCER for `bona fide` of attacks, BPCER for
 * `attack` of bona fide presentations (ISO/IEC 30107-3). The interval is about people: one vote each.
 */
export function rateOf(what: string, responses: readonly Response[], verdict: Verdict): Figure {
  const trials = verdict === 'none' ? responses : responses.filter((one) => one.verdict !== 'none');
  return personFigure(what, trials, (one) => one.verdict === verdict);
}

/** Area under the ROC curve of attacks against bona fide presentations with a face. */
export function areaOf(what: string, attacks: readonly Response[], bonaFide: readonly Response[]): Figure {
  const [positives, negatives] = [scoresOf(attacks), scoresOf(bonaFide)];
  if (positives.length === 0 || negatives.length === 0) return plain(what, '–', 'no data');
  const evidence = `${positives.length} attack and ${negatives.length} bona fide pictures`;
  return plain(what, rocArea(positives, negatives).toFixed(3), evidence);
}

function scoresOf(responses: readonly Response[]): number[] {
  return responses.flatMap(({ score }) => (score === null ? [] : [score]));
}
