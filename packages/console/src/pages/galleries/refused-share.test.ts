import { expect, it } from 'vitest';
import { binWidth, probesBelow } from './refused-share.ts';

const bins = (counts: Record<number, number>) => Array.from({ length: 80 }, (_, bin) => counts[bin] ?? 0);

it('counts the bins below a threshold that is the limit of one', () => {
  const counted = bins({ 10: 3, 49: 2, 50: 5, 79: 90 });
  expect(probesBelow(counted, 0.625)).toEqual({ below: 5, all: 100 });
  expect(probesBelow(counted, 51 * binWidth)).toEqual({ below: 10, all: 100 });
  expect(probesBelow(counted, 1)).toEqual({ below: 100, all: 100 });
});

it('takes a share of the bin that a threshold is in', () => {
  expect(probesBelow(bins({ 50: 8 }), 50.25 * binWidth)).toEqual({ below: 2, all: 8 });
  expect(probesBelow(bins({}), 0.7)).toEqual({ below: 0, all: 0 });
});
