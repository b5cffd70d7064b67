import { expect, it } from 'vitest';
import { type Dates, type Range, windowOf } from './windows.ts';

const now = new Date('2026-01-31T10:42:07Z');

function days(range: Range, dates: Dates = { first: '', last: '' }) {
  const { from, to } = windowOf(range, dates, now);
  return [from, to].map((time) => time.toISOString().replace('T00:00:00.000Z', ''));
}

it('a time range ends with today', () => {
  expect(days('today')).toEqual(['2026-01-31', '2026-02-01']);
  expect(days('week')).toEqual(['2026-01-25', '2026-02-01']);
  expect(days('month')).toEqual(['2026-01-02', '2026-02-01']);
});

it('a time range has the chosen days in either order', () => {
  const chosen = { first: '2026-01-30', last: '2026-01-28' };
  expect(days('dates', chosen)).toEqual(['2026-01-28', '2026-01-31']);
  expect(days('dates', { first: '', last: 'x' })).toEqual(['2026-01-31', '2026-02-01']);
});
