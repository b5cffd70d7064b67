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
  return trials === 0 ? { low: 0, high: 1 } : betaInterval(events, trials, level);
}

/** The interval of `exactInterval` by its beta quantiles, for events that need not be whole. @param trials above 0 */
export function betaInterval(events: number, trials: number, level: number): Interval {
  const tail = (1 - level) / 2;
  return { low: lowerEnd(events, trials, tail), high: 1 - lowerEnd(trials - events, trials, tail) };
}

function lowerEnd(events: number, trials: number, tail: number): number {
  // NaN where it underflows, for far less than one event.
  return events === 0 ? 0 : jstat.beta.inv(tail, events, trials - events + 1) || 0;
}

/** Events among the trials of one person. */
export interface PersonCount {
  readonly events: number;
  readonly trials: number;
}
