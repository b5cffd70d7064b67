import { csvDelimiters, csvId, csvOptionsOf, groupPeople } from '@wajah/client';
import { parse } from 'csv-parse/browser/esm/sync';

/** Who stands on a list of names and IDs. */
export interface PeopleList {
  readonly people: readonly { readonly user_id: string; readonly user_name: string }[];
  /** IDs of more than one line, of which one is used. */
  readonly twice: readonly string[];
  /** IDs or names that are not used: damaged by a spreadsheet, of several names, one without the other. */
  readonly refused: readonly string[];
}

/** Heads of columns, the best first, in small letters without all else. */
const heads = {
  id: ['userid', 'id', 'nik', 'nip', 'nomorinduk', 'noinduk', 'employeeid', 'idkaryawan', 'idpegawai', 'nim'],
  name: ['username', 'name', 'nama', 'fullname', 'namalengkap', 'namakaryawan', 'namapegawai'],
  first: ['firstname', 'givenname', 'namadepan'],
  last: ['lastname', 'surname', 'familyname', 'namabelakang'],
} as const;

/** Heads of running numbers. */
const running = ['no', 'nomor', 'nr', 'nourut', 'nomorurut'];

const plainOf = (cell: string) => cell.toLowerCase().replace(/[^a-z]/g, '');

/** Lines that decide how a list is written. */
const sample = 50;
/** Lines that may have the heads: titles stand before them. */
const top = 10;

/**
 * Reads lists as spreadsheets save or copy them, as one: an ID and a name in each line, with or without a line of heads, in
 * any order of columns.
 * @returns null: one is no such list
 */
export function peopleListIn(...texts: readonly string[]): PeopleList | null {
  const lists = texts.map(entriesIn);
  return lists.includes(null) ? null : listOf(lists.flatMap((entries) => entries ?? []));
}

type Entry = PeopleList['people'][number];

function entriesIn(text: string): readonly Entry[] | null {
  const rows = rowsIn(text);
  const columns = rows && columnsOf(rows);
  if (!columns) return null;
  return rows.slice(columns.from).map((row) => ({
    user_id: csvId(row[columns.id] ?? '').trim(),
    user_name: nameIn(row, columns),
  }));
}

/** The cells of a list, without lines that are empty; null: it has no columns. */
export function rowsIn(text: string): string[][] | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const said = /^"?sep=(.)"?$/i.exec(lines[0] ?? '')?.[1];
  const filled = lines.slice(said ? 1 : 0).filter((line) => line.trim() !== '');
  return rowsOf(filled, said ?? delimiterOf(filled.slice(0, sample)));
}

/** What stands in the most lines; a comma only if nothing else does, as it is in names, too. Undefined: blanks. */
function delimiterOf(lines: readonly string[]): string | undefined {
  const [comma, ...others] = csvDelimiters;
  const shareOf = (one: string) => {
    const heads = lines.slice(0, top).findIndex((line) => areHeads(headsIn(line.split(one))));
    const below = lines.slice(Math.max(0, heads));
    return below.filter((line) => line.includes(one)).length / below.length;
  };
  return [...others, comma].find((one) => one !== undefined && shareOf(one) > 0.8);
}

function rowsOf(lines: readonly string[], delimiter: string | undefined): string[][] | null {
  if (delimiter !== undefined) {
    try {
      return parse(lines.join('\n'), csvOptionsOf({ delimiter, before: 0 }));
    } catch {
      return null;
    }
  }
  // An ID with a digit, and the name behind it.
  const rows = lines.map((line) => /^\s*(\S*\d\S*)\s+(\p{L}.*)$/u.exec(line)?.slice(1) ?? [line]);
  return rows.filter(({ length }) => length === 2).length / rows.length > 0.8 ? rows : null;
}

/** Where IDs and names are, and the first row of people. */
export interface Columns {
  readonly id: number;
  readonly name: number;
  /** Of family names, where names are in two columns; -1: they are in one. */
  readonly last: number;
  readonly from: number;
}

/** Where a line of heads has IDs and names; -1: it does not say. */
export function headsIn(row: readonly string[] = []): Omit<Columns, 'from'> {
  const head = row.map(plainOf);
  const find = (names: readonly string[]) =>
    names.map((name) => head.indexOf(name)).find((at) => at >= 0) ?? -1;
  const whole = find(heads.name);
  const first = whole < 0 ? find(heads.first) : -1;
  return { id: find(heads.id), name: Math.max(whole, first), last: first < 0 ? -1 : find(heads.last) };
}

/** The name of a row; '': it has none. */
export const nameIn = (row: readonly string[], { name, last }: Pick<Columns, 'name' | 'last'>) =>
  [row[name], row[last]]
    .map((part = '') => part.trim())
    .filter((part) => part !== '')
    .join(' ');

const areHeads = ({ id, name }: Pick<Columns, 'id' | 'name'>) => id >= 0 && name >= 0;

/** The line that has heads, if there are any: the first with two cells, unless one below has those of ID and name. */
export function headLineOf(rows: readonly (readonly string[])[]): number {
  const lines = rows.slice(0, top);
  const named = lines.findIndex((row) => areHeads(headsIn(row)));
  return named >= 0 ? named : lines.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1);
}

export function columnsOf(rows: readonly (readonly string[])[]): Columns | null {
  const line = headLineOf(rows);
  const from = line + 1;
  const { id, name, last } = headsIn(rows[line]);
  if (id >= 0 && name >= 0) return { id, name, last, from };
  // Of two columns one head says which the other is.
  if (id + name >= -1 && rows[line]?.length === 2)
    return { id: id < 0 ? 1 - name : id, name: name < 0 ? 1 - id : name, last, from };
  const number = rows[line]?.findIndex((cell) => running.includes(plainOf(cell))) ?? -1;
  if (Math.max(id, name, number) < 0) return withoutHeads(rows.slice(0, sample));
  const found = withoutHeads(rows.slice(from, from + sample), { id, name, number });
  return found && { ...found, last, from };
}

/**
 * Names are what has letters and no digit; IDs what has no blank, and more often a digit.
 * @param known columns that heads say, -1: none, and that of running numbers, which are no IDs where there are others
 */
function withoutHeads(
  rows: readonly (readonly string[])[],
  known = { id: -1, name: -1, number: -1 },
): Columns | null {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const shareOf = (at: number, cell: RegExp) =>
    rows.filter((row) => cell.test(row[at]?.trim() ?? '')).length / rows.length;
  const places = Array.from({ length: width }, (_, at) => at);
  const best = (score: (at: number) => number, ...besides: readonly number[]) =>
    places
      .filter((at) => !besides.includes(at) && score(at) > 0)
      .reduce<number>((one, at) => (one < 0 || score(at) > score(one) ? at : one), -1);
  const digits = (at: number) => shareOf(at, /^\S*\d\S*$/);
  const idScore = (at: number) => digits(at) + shareOf(at, /^\S+$/) / 10;
  const other = best(idScore, known.name, known.number);
  const id = known.id >= 0 ? known.id : digits(other) > 0.5 ? other : best(idScore, known.name);
  const name = known.name >= 0 ? known.name : best((at) => shareOf(at, /^\P{N}*\p{L}\P{N}*$/u), id);
  return id < 0 || name < 0 ? null : { id, name, last: -1, from: 0 };
}

function listOf(entries: readonly Entry[]): PeopleList {
  const whole = entries.filter((one) => one.user_id !== '' && one.user_name !== '');
  const halves = entries.filter((one) => (one.user_id === '') !== (one.user_name === ''));
  const { people, refused } = groupPeople(
    whole.map((one) => ({ ...one, pictures: [{ name: '', image: '' }] })),
  );
  const isUsed = new Set(people.map(({ user_id }) => user_id));
  const left = [
    ...refused.map(({ person }) => person.user_id),
    ...halves.map((one) => one.user_id || one.user_name),
  ];
  return {
    people: people.map(({ user_id, user_name }) => ({ user_id, user_name })),
    twice: people.filter(({ pictures }) => pictures.length > 1).map(({ user_id }) => user_id),
    refused: [...new Set(left)].filter((one) => !isUsed.has(one)),
  };
}
