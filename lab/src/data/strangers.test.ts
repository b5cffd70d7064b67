import { expect, it } from 'vitest';
import { areAlike } from './strangers.ts';

it.each([
  ['one collection and age', { group: 'congress', born: 1950 }, { group: 'congress', born: 1960 }, true],
  ['other ages', { group: 'congress', born: 1950 }, { group: 'congress', born: 1961 }, false],
  ['one studio and sex', { group: 'london male' }, { group: 'london male' }, true],
  ['other sexes', { group: 'london male' }, { group: 'london female' }, false],
  ['people of whom nothing is known', { group: null }, { group: null }, false],
])('%s', (_, a, b, alike) => {
  expect(areAlike(a, b)).toBe(alike);
});
