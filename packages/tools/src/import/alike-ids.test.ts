import { expect, it } from 'vitest';
import { alikeIdsNotice } from './alike-ids.ts';

it('names ids that differ only in case or in zeros before a number', () => {
  const notice = alikeIdsNotice(['1', '001', 'emp1', 'EMP1', 'EMP-07', 'emp-7', '10', '100', '1', 'budi']);
  expect(notice).toContain('1 and 001; emp1 and EMP1; EMP-07 and emp-7.');
});

it('says nothing of other ids', () => {
  expect(alikeIdsNotice(['1', '10', '101', '1001', 'emp1', 'emp10', 'ani', 'ani'])).toBe(undefined);
});

it('names the first five, and counts the rest', () => {
  const ids = Array.from({ length: 7 }, (_, place) => [`a${place}`, `A${place}`]).flat();
  expect(alikeIdsNotice(ids)).toContain('a4 and A4; and 2 more.');
});
