import { type Figure, percent, plain } from '../measure/figure.ts';
import type { PersonCount } from '../metrics/bounds.ts';
import { personRate } from '../metrics/person-rate.ts';
import { rocArea } from '../metrics/scores.ts';
import type { Response, Verdict } from './response.ts';

/** Lower bounds below it are printed as 0. */
const NEGLIGIBLE = 0.0005;

/**
 * Share of the responses with a verdict, of those with a detected face: APCER for `bona fide` of attacks, BPCER for
 * `attack` of bona fide presentations (ISO/IEC 30107-3). The interval is about people: one vote each.
 */
export function rateOf(what: string, responses: readonly Response[], verdict: Verdict): Figure {
  const trials = verdict === 'none' ? responses : responses.filter((one) => one.verdict !== 'none');
  if (trials.length === 0) return plain(what, '–', 'no data');
  const people = [...countsByPerson(trials, verdict).values()];
  const events = people.reduce((sum, person) => sum + person.events, 0);
  const { rate, low, high } = personRate(people);
  const interval = `${percent(low < NEGLIGIBLE ? 0 : low)}–${percent(high)} %`;
  return {
    what,
    value: `${percent(events / trials.length)} %`,
    evidence: `${events} of ${trials.length}; ${votesOf(people.length, trials.length, rate)}${interval}`,
    share: { events, trials: trials.length, low, high },
  };
}

/** Events and trials of each person. */
function countsByPerson(responses: readonly Response[], verdict: Verdict): Map<string, PersonCount> {
  const people = new Map<string, PersonCount>();
  for (const response of responses) {
    const { events, trials } = people.get(response.person) ?? { events: 0, trials: 0 };
    const event = response.verdict === verdict ? 1 : 0;
    people.set(response.person, { events: events + event, trials: trials + 1 });
  }
  return people;
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

/** How the interval came about, where people have several pictures. */
function votesOf(people: number, pictures: number, rate: number): string {
  if (people === pictures) return '';
  return people === 1 ? '1 person: ' : `${people} people with one vote each: ${percent(rate)} %, `;
}
