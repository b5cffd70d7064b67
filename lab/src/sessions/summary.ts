import { percent } from '../measure/figure.ts';
import type { ResultTable } from '../measure/tables.ts';
import type { SessionGroup } from './outcome.ts';

/** The sessions of one split, judged with one set of packs. */
export interface SessionColumn {
  /** Head of the column. */
  readonly title: string;
  readonly groups: readonly SessionGroup[];
}

/**
 * A table of the sessions that pass, a row for each kind and a column for each measurement: attacks first, those of
 * which most pass in any column at the top, then all animated stills, then honest sessions.
 */
export function passingTable(columns: readonly SessionColumn[]): ResultTable {
  const titles = columns.map(({ title }) => title);
  const animated = columns.map(({ title, groups }) => ({ title, groups: [allAnimated(groups)] }));
  const rows = [
    ...rowsOf(columns, 'attack').sort((a, b) => b.most - a.most),
    ...rowsOf(animated, 'attack'),
    ...rowsOf(columns, 'honest'),
  ];
  return {
    title: 'Sessions that pass',
    columns: ['', ...titles],
    rows: rows.map(({ name, cells }) => [name, ...cells]),
  };
}

function allAnimated(groups: readonly SessionGroup[]): SessionGroup {
  const outcomes = groups.filter(({ animated }) => animated).flatMap((group) => group.outcomes);
  return { name: 'all animated stills', kind: 'attack', animated: true, outcomes };
}

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  /** Largest share of sessions that pass, 0…1. */
  readonly most: number;
}

function rowsOf(columns: readonly SessionColumn[], kind: SessionGroup['kind']): Row[] {
  const held = columns.map(({ groups }) =>
    groups.filter((group) => group.kind === kind && group.outcomes.length > 0),
  );
  const names = [...new Set(held.flat().map(({ name }) => name))];
  return names.map((name) => {
    const counts = held.map((groups) => groups.find((group) => group.name === name)?.outcomes);
    const shares = counts.map((outcomes) => outcomes && passing(outcomes) / outcomes.length);
    const cells = counts.map((outcomes, i) =>
      outcomes ? `${passing(outcomes)} of ${outcomes.length} (${percent(shares[i]!)} %)` : '–',
    );
    return { name, cells, most: Math.max(...shares.map((share) => share ?? 0)) };
  });
}

function passing(outcomes: SessionGroup['outcomes']): number {
  return outcomes.filter(({ passed }) => passed).length;
}
