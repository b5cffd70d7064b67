import type { Sample } from './templates.ts';

/** Names of the regions of labelled people. */
const REGIONS: Readonly<Record<string, string>> = {
  sea: 'South-East Asian',
  ea: 'East Asian',
  sa: 'South Asian',
};

/** Everybody, or some of the people that data has. */
export interface Subgroup {
  /** null: everybody. */
  readonly title: string | null;
  /** The same in a word or two. */
  readonly row: string;
  includes(sample: Sample): boolean;
}

/** Everybody, then each subset where there are several, then each region. */
export function subgroupsOf(samples: readonly Sample[]): Subgroup[] {
  const subsets = distinct(samples.map(({ subset }) => subset));
  const regions = distinct(samples.map(({ region }) => region));
  return [
    { title: null, row: 'all', includes: () => true },
    ...(subsets.length < 2 ? [] : subsets).map((name) => ({
      title: `Subset ${name}`,
      row: `\`${name}\``,
      includes: ({ subset }: Sample) => subset === name,
    })),
    ...regions.map((name) => ({
      title: `Region ${name}`,
      row: REGIONS[name] ?? name,
      includes: ({ region }: Sample) => region === name,
    })),
  ];
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))].sort();
}
