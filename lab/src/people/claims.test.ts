import { innerProduct } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { claimFigures, comparisonSections, poorFigures } from './claims.ts';

const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

describe('comparisonSections', () => {
  const picture = (identity: string, degrees: number, likeness: object) => ({
    ...{ identity, file: identity, subset: 'studio', region: null, template: at(degrees) },
    ...{ group: null, ...likeness },
  });
  const portraits = [
    picture('a', 0, { group: 'congress', born: 1950 }),
    picture('a', 60, { group: 'congress', born: 1950 }),
    picture('b', 20, { group: 'congress', born: 1960 }),
    picture('c', 0, { group: 'congress', born: 1961 }),
    picture('d', 10, { group: 'london female', ethnicity: 'black' }),
    picture('e', 0, { group: 'london female', ethnicity: 'black' }),
    picture('f', 0, { group: 'london female', ethnicity: 'white' }),
    picture('g', 0, { group: 'london male', ethnicity: 'black' }),
  ];
  const sections = comparisonSections(portraits, portraits, innerProduct);
  const cells = (row: string, what: string) => {
    const section = sections.find((one) => one.table?.row === row);
    return section?.figures.find((figure) => figure.what === what)?.evidence;
  };
  const measured = 'measured FMR where 0.01 is claimed';

  it('compares those who are alike, and everybody', () => {
    expect(cells('congress', measured)).toMatch(/^3 of 3:/);
    expect(cells('london female', measured)).toMatch(/^3 of 3:/);
    expect(cells('studio, one sex, black', measured)).toMatch(/^1 of 1:/);
    expect(cells('studio, one sex and origin', measured)).toMatch(/^1 of 1:/);
    expect(cells('studio, different', measured)).toMatch(/^5 of 5:/);
    expect(cells('anybody', measured)).toMatch(/ of 27:/);
  });

  it('compares pictures of one person', () => {
    expect(cells('congress', 'FNMR at similarity 0.625')).toMatch(/^1 of 1;/);
    expect(cells('anybody', 'FNMR at similarity 0.625')).toMatch(/^1 of 1;/);
  });
});

it('claimFigures measure the distance from a claim', () => {
  const scores = new Float64Array(1000).fill(0).fill(0.55, 980).fill(0.7, 999);
  const [often, , seldom] = claimFigures(scores);
  expect(often).toMatchObject({ value: '+0.30 decades', evidence: '20 of 1000' });
  expect(seldom).toMatchObject({ value: '–', evidence: '0 of 1000: too few' });
});

describe('poorFigures', () => {
  const poor = (identity: string, degrees: number, isUnclear: boolean, group: string) => {
    return { identity, template: at(degrees), isUnclear, group };
  };
  const seen = [
    poor('a', 0, true, 'men'),
    poor('b', 10, true, 'men'),
    poor('c', 20, false, 'women'),
    poor('d', 90, false, 'women'),
  ];
  const counts = Object.fromEntries(
    poorFigures(seen, innerProduct).map(({ what, evidence }) => [what, evidence.split(';')[0]]),
  );

  it('refuses two unclear pictures, and an unclear picture against any reference', () => {
    expect(counts).toEqual({
      'people called unclear': '2 of 4',
      'without refusals': '3 of 6',
      'two pictures': '2 of 6',
      'two pictures of people who are alike': '0 of 2',
      'a picture and a reference': '2 of 12',
    });
  });
});
