import { exactInterval } from '../metrics/bounds.ts';
import { type Count, rate } from '../metrics/scores.ts';

/** One line of the report. */
export interface Figure {
  /** What was measured, in words. */
  readonly what: string;
  /** The figure with its unit. */
  readonly value: string;
  /** Counts behind it and the 95 % interval. */
  readonly evidence: string;
  /** The same in numbers, where it is a share of events: for other programs. */
  readonly share?: Count & { readonly low: number; readonly high: number };
}

/** A share of events with its counts and exact 95 % interval. */
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

/** A figure that is no share. */
export function plain(what: string, value: string, evidence: string): Figure {
  return { what, value, evidence };
}

/** Balanced accuracy of two error counts; its interval joins the ends of theirs. */
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

/** How many of the items are so. */
export function tally<T>(items: readonly T[], so: (item: T) => boolean): Count {
  return { events: items.filter(so).length, trials: items.length };
}

/** A Markdown table under a heading. */
export function section(title: string, figures: readonly Figure[]): string {
  const lines = figures.map(({ what, value, evidence }) => `| ${what} | ${value} | ${evidence} |`);
  return [`### ${title}`, '', '| metric | value | counts; 95 % interval |', '|---|---|---|', ...lines].join(
    '\n',
  );
}

/** A share (0…1) in per cent: one decimal, small ones to one digit. */
export function percent(share: number): string {
  const value = share * 100;
  return value >= 0.1 || value === 0 ? value.toFixed(1) : value.toPrecision(1);
}
