import { describe, expect, it } from 'vitest';
import { dayText } from '../../i18n/format.ts';
import { type Range, windowOf } from './windows.ts';

const now = new Date(2026, 0, 31, 10, 42, 7);
const dates = { first: '2026-01-30', last: '2026-01-28' };
const of = (range: Range) => windowOf(range, dates, now);

describe('a time range', () => {
  it('ends with the interval that is under way', () => {
    expect(of('hour')).toEqual({
      from: new Date(2026, 0, 31, 9, 45),
      to: new Date(2026, 0, 31, 10, 45),
      buckets: 12,
    });
    expect(of('day').to).toEqual(new Date(2026, 0, 31, 11));
    expect([of('week').from, of('week').buckets]).toEqual([new Date(2026, 0, 25), 7]);
    expect([of('month').to, of('month').buckets]).toEqual([new Date(2026, 1, 1), 30]);
  });

  it('has the chosen days in either order', () => {
    expect(of('dates')).toEqual({ from: new Date(2026, 0, 28), to: new Date(2026, 0, 31), buckets: 3 });
    const one = windowOf('dates', { first: '2026-01-30', last: '2026-01-30' }, now);
    expect([one.buckets, dayText(one.from)]).toEqual([24, '2026-01-30']);
    expect(windowOf('dates', { first: '', last: 'x' }, now).buckets).toBe(24);
  });
});
