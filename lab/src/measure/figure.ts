import { exactInterval } from '../metrics/bounds.ts';
import { type Count, rate } from '../metrics/scores.ts';

/** A line of a report. */
export interface Figure {
  /** The metric. */
  readonly what: string;
  /** The figure with its unit. */
  readonly value: string;
  /** Counts behind it and the 95 % interval. */
  readonly evidence: string;
  /** The numbers of a share of events, for other programs. */
  readonly share?: Count & { readonly low: number; readonly high: number };
}

/** Figures under a heading. */
export interface ReportSection {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Sections with the same `table.title` become rows of one table. */
  readonly table?: { readonly title: string; readonly row: string };
}

/** A share of events, with counts and exact 95 % interval. */
export function share(what: string, count: Count): Figure {
  if (count.trials === 0) return { what, value: '–', evidence: 'no data' };
  const { low, high } = exactInterval(count.events, count.trials);
  return {
    what,
    value: `${percent(rate(count))} %`,
    evidence: `${count.events} of ${count.trials}; ${percent(low)}–${percent(high)} %`,
    share: { ...count, low, high },
  };
}

/** A figure that is not a share of events. */
export function plain(what: string, value: string, evidence: string): Figure {
  return { what, value, evidence };
}

/** Balanced accuracy of two error counts; the interval is the mean of theirs. */
export function balanced(what: string, missed: Count, wrong: Count): Figure {
  if (missed.trials === 0 || wrong.trials === 0) return { what, value: '–', evidence: 'no data' };
  const a = exactInterval(missed.events, missed.trials);
  const b = exactInterval(wrong.events, wrong.trials);
  const value = 1 - (rate(missed) + rate(wrong)) / 2;
  const low = 1 - (a.high + b.high) / 2;
  const high = 1 - (a.low + b.low) / 2;
  return {
    what,
    value: value.toFixed(3),
    evidence: `${missed.events} of ${missed.trials} and ${wrong.events} of ${wrong.trials} wrong; ${low.toFixed(3)}–${high.toFixed(3)}`,
  };
}

/** Number of items that satisfy a condition. */
export function tally<T>(items: readonly T[], condition: (item: T) => boolean): Count {
  return { events: items.filter(condition).length, trials: items.length };
}

/** A share (0…1) in per cent, to one decimal; below 0.1 % to one digit. */
export function percent(share: number): string {
  const value = share * 100;
  return value >= 0.1 || value === 0 ? value.toFixed(1) : value.toPrecision(1);
}
