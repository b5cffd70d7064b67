/** Time ranges of the page, and how their charts are divided. */
export const ranges = ['hour', 'day', 'week', 'month', 'dates'] as const;
export type Range = (typeof ranges)[number];

/** Days that are chosen by hand, as `2026-01-31`, both included. */
export interface Dates {
  readonly first: string;
  readonly last: string;
}

/** A time range in equal intervals. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
  readonly buckets: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Five minutes in an hour, hours in a day, days of the calendar in a longer range; the last interval is under way. */
export function windowOf(range: Range, dates: Dates, now: Date): Window {
  switch (range) {
    case 'hour':
      return ending(now, 5 * minute, 12);
    case 'day':
      return ending(now, hour, 24);
    case 'week':
      return ofDays(daysBefore(now, 6), now);
    case 'month':
      return ofDays(daysBefore(now, 29), now);
    case 'dates':
      return ofDays(midnight(dates.first), midnight(dates.last));
  }
}

function ending(now: Date, step: number, buckets: number): Window {
  const to = Math.ceil(now.getTime() / step) * step;
  return { from: new Date(to - buckets * step), to: new Date(to), buckets };
}

/** By the hour where there are at most two days. */
function ofDays(first: Date, last: Date): Window {
  const [start, end] = first <= last ? [first, last] : [last, first];
  const from = daysBefore(start, 0);
  const to = daysBefore(end, -1);
  const days = Math.max(1, Math.round((to.getTime() - from.getTime()) / day));
  return { from, to, buckets: days <= 2 ? days * 24 : Math.min(days, 366) };
}

/** Midnight of a day in the time zone of the browser. */
function daysBefore(time: Date, count: number): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - count);
}

/** Today for a text that is no date. */
function midnight(date: string): Date {
  const time = new Date(`${date}T00:00`);
  return Number.isNaN(time.getTime()) ? new Date() : time;
}
