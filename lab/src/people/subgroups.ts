import type { Sample } from './templates.ts';

/** Region names by label. */
const REGIONS: Readonly<Record<string, string>> = {
  sea: 'South-East Asian',
  ea: 'East Asian',
  sa: 'South Asian',
};

/** All people, or those of a collection or region. */
export interface Subgroup {
  /** null: all people. */
  readonly title: string | null;
  /** Row of a table. */
  readonly row: string;
  includes(sample: Sample): boolean;
}

/** All people, then each collection if there are several, then each region. */
export function subgroupsOf(samples: readonly Sample[]): Subgroup[] {
  const subsets = distinct(samples.map(({ subset }) => subset));
  return [
    { title: null, row: 'all', includes: () => true },
    ...(subsets.length < 2 ? [] : subsets).map((name) => ({
      title: `Subset ${name}`,
      row: name,
      includes: ({ subset }: Sample) => subset === name,
    })),
    ...regionsOf(samples),
  ];
}

/** Each labelled region. */
export function regionsOf(samples: readonly Sample[]): Subgroup[] {
  return distinct(samples.map(({ region }) => region)).map((name) => ({
    title: `Region ${name}`,
    row: REGIONS[name] ?? name,
    includes: ({ region }: Sample) => region === name,
  }));
}

/** Each value once, sorted. */
export function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))].sort();
}
