/// <reference path="./jstat.d.ts" />
import jstat from 'jstat';

/** A 95 % (or other) interval of a rate, both ends in 0…1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Exact interval of a binomial rate (Clopper and Pearson, Biometrika 26, 1934): the rates under which this many events,
 * or more (fewer), have at least a probability of (1 − level) / 2. With 0 events in n its upper end is close to 3.7 / n.
 * @param events 0…trials
 * @param level confidence, 0…1
 * @throws RangeError for counts that are not whole or out of range
 */
export function exactInterval(events: number, trials: number, level = 0.95): Interval {
  if (!Number.isInteger(events) || !Number.isInteger(trials) || events < 0 || events > trials) {
    throw new RangeError(`events must be whole and within 0…${trials} trials, found ${events}`);
  }
  if (trials === 0) return { low: 0, high: 1 };
  const tail = (1 - level) / 2;
  return {
    low: events === 0 ? 0 : jstat.beta.inv(tail, events, trials - events + 1),
    high: events === trials ? 1 : jstat.beta.inv(1 - tail, events + 1, trials - events),
  };
}

/** Events among the trials of one person. */
export interface PersonCount {
  readonly events: number;
  readonly trials: number;
}

/**
 * Interval of a rate whose trials come in clusters, several of each person: the exact interval at the effective number of
 * trials, which the variance between people gives (Korn and Graubard, "Confidence intervals for proportions with small
 * expected number of positive counts estimated from survey data", Survey Methodology 24, 1998). Where no two people
 * differ, the number of people counts.
 * @param level confidence, 0…1
 */
export function clusteredInterval(people: readonly PersonCount[], level = 0.95): Interval {
  const trials = people.reduce((sum, person) => sum + person.trials, 0);
  if (trials === 0) return { low: 0, high: 1 };
  const rate = people.reduce((sum, { events }) => sum + events, 0) / trials;
  const between = people.reduce((sum, person) => sum + (person.events - rate * person.trials) ** 2, 0);
  const n = people.length;
  const variance = n > 1 ? (between * n) / (n - 1) / trials ** 2 : 0;
  const effective = variance > 0 ? Math.min(trials, Math.max(1, (rate * (1 - rate)) / variance)) : n;
  const tail = (1 - level) / 2;
  const events = rate * effective;
  return {
    low: events === 0 ? 0 : jstat.beta.inv(tail, events, effective - events + 1),
    high: rate === 1 ? 1 : jstat.beta.inv(1 - tail, events + 1, effective - events),
  };
}
