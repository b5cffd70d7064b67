/** Time ranges of the page. */
export const ranges = ['today', 'week', 'month', 'dates'] as const;
export type Range = (typeof ranges)[number];

/** Days that are chosen by hand, as `2026-01-31`, both included. */
export interface Dates {
  readonly first: string;
  readonly last: string;
}

/** Whole days, UTC; `to` is excluded. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
}

const dayMs = 86_400_000;
const daysIn = { today: 1, week: 7, month: 30 } as const;

/** The last days, or those that are chosen, in either order; today for a text that is no date. */
export function windowOf(range: Range, { first, last }: Dates, now: Date): Window {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const chosen = [first, last].map((date) => Date.parse(date) || today);
  const days = range === 'dates' ? chosen : [today - (daysIn[range] - 1) * dayMs, today];
  return { from: new Date(Math.min(...days)), to: new Date(Math.max(...days) + dayMs) };
}
