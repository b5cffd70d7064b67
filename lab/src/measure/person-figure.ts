import type { PersonCount } from '../metrics/bounds.ts';
import { personRate } from '../metrics/person-rate.ts';
import { type Figure, percent, plain } from './figure.ts';

/** Lower bounds below it are printed as 0. */
const NEGLIGIBLE = 0.0005;

/** A share of events in the trials of people, with counts. The interval is about people: one vote each. */
export function personFigure<T extends { readonly person: string }>(
  what: string,
  trials: readonly T[],
  isEvent: (trial: T) => boolean,
): Figure {
  if (trials.length === 0) return plain(what, '–', 'no data');
  const people = countsByPerson(trials, isEvent);
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

function countsByPerson<T extends { readonly person: string }>(
  trials: readonly T[],
  isEvent: (trial: T) => boolean,
): PersonCount[] {
  const people = new Map<string, PersonCount>();
  for (const trial of trials) {
    const counted = people.get(trial.person) ?? { events: 0, trials: 0 };
    people.set(trial.person, {
      events: counted.events + Number(isEvent(trial)),
      trials: counted.trials + 1,
    });
  }
  return [...people.values()];
}

/** How the interval came about, where people have several trials. */
function votesOf(people: number, trials: number, rate: number): string {
  if (people === trials) return '';
  return people === 1 ? '1 person: ' : `${people} people with one vote each: ${percent(rate)} %, `;
}
