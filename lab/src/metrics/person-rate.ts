import { betaInterval, type Interval, type PersonCount } from './bounds.ts';

/** Rate in which each person has one vote, 0…1, with its interval. */
export interface PersonRate extends Interval {
  readonly rate: number;
  readonly people: number;
}

/**
 * Rate of events with one vote for each person: the mean over people of the share of their trials. The interval is that
 * of Clopper and Pearson (Biometrika 26, 1934) for people as trials, its beta quantiles taken at a number of events that
 * need not be whole. Trials of one person thus never narrow it, however many there are.
 * @param level confidence, 0…1
 * @throws RangeError without people, or for a person without trials
 */
export function personRate(people: readonly PersonCount[], level = 0.95): PersonRate {
  const n = people.length;
  if (n === 0 || people.some(({ trials }) => trials < 1)) throw new RangeError('each person needs a trial');
  const votes = people.reduce((sum, { events, trials }) => sum + events / trials, 0);
  return { rate: votes / n, people: n, ...betaInterval(votes, n, level) };
}
