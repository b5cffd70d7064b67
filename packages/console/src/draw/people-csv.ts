import { csvId, groupPeople } from '@wajah/client';
import { type Columns, columnsOf, headLineOf, headsIn, nameIn, rowsIn } from './people-list.ts';
import type { Picture } from './picture.ts';

/** Whose pictures the files of a list are. */
export interface PeopleTable {
  /** @param pictures all that were given: they compete for the names of the list */
  readonly match: (pictures: readonly Given[]) => Matched;
  /** IDs that are not used: damaged by a spreadsheet, or of several names. */
  readonly refused: readonly string[];
  /** Places of the lists that name no pictures. */
  readonly unused: readonly number[];
}

type Given = Pick<Picture, 'name' | 'version'>;

interface Matched {
  /** Of each picture, in their order. */
  readonly listed: readonly Listed[];
  /** Files of the list that are not among the pictures. */
  readonly missing: readonly string[];
}

interface Listed {
  /** Absent: the list names nobody. */
  readonly person?: ListedPerson | undefined;
  /** Several files, or people, have this name: it says nothing. */
  readonly unclear?: boolean;
}

interface ListedPerson {
  readonly userId: string;
  readonly userName: string;
  /** Not the first picture of the person. */
  readonly further: boolean;
}

interface Row {
  readonly file: string;
  /** Undefined: the ID is refused. */
  readonly person: ListedPerson | undefined;
}

const ending = /\.(jpe?g|jfif|png|gif|bmp|webp|avif|hei[cf])$/i;
/** What a file is called, without folders: browsers do not tell them. */
const fileIn = (cell: string) => cell.split(/[\\/]/).at(-1) ?? '';
const plainOf = (cell: string) => fileIn(cell).toLowerCase().replace(ending, '');

/**
 * Reads CSV files that name pictures as one, as spreadsheets save them: an ID, the name of a file and, if it is there, the
 * name of the person in each line. The names of files are found by what stands there, whatever the head of their column is.
 * @param pictures names of the files that are to be named
 */
export function peopleIn(lists: readonly ArrayBuffer[], pictures: readonly string[]): PeopleTable {
  const given = new Set(pictures.map(plainOf));
  const lines = lists.map((bytes) => linesIn(bytes, given));
  const { people, refused } = groupPeople(lines.flat());
  const rowsOf = (all: typeof people, isUsed: boolean): readonly Row[] =>
    all.flatMap(({ user_id: userId, user_name: userName, pictures }) =>
      pictures.map(({ name }, at) => ({
        file: name,
        person: isUsed ? { userId, userName, further: at > 0 } : undefined,
      })),
    );
  const persons = refused.map(({ person }) => person);
  const all = [...rowsOf(people, true), ...rowsOf(persons, false)];
  return {
    match: (some) => matched(all, some),
    refused: persons.map(({ user_id }) => user_id),
    unused: lists.flatMap((_, at) => (lines[at]?.length ? [] : at)),
  };
}

/** People of a list with the names of their pictures; none: it names no pictures. */
function linesIn(bytes: ArrayBuffer, given: ReadonlySet<string>) {
  const rows = rowsIn(textOf(bytes)) ?? [];
  const namesFile = (cell = '') => given.has(plainOf(cell)) || ending.test(cell);
  const file = fileColumnOf(rows, namesFile);
  const columns = file < 0 ? null : columnsBeside(rows, file);
  if (!columns) return [];
  const from = columns.from || (namesFile(rows[0]?.[file]) ? 0 : 1);
  return rows.slice(from).flatMap((row) => {
    const name = fileIn(row[file] ?? '');
    const person = { user_id: csvId(row[columns.id] ?? ''), user_name: nameIn(row, columns) };
    return name === '' ? [] : { ...person, pictures: [{ name, image: '' }] };
  });
}

/**
 * Finds pictures by their names as they stand there, else without regard to case and ending. Cameras give one name to the
 * pictures of several people: of a name that is not one file's and one person's nobody is taken.
 */
function matched(rows: readonly Row[], pictures: readonly Given[]): Matched {
  const ways = [fileIn, plainOf].map((keyOf) => {
    const rowsOf = groupedBy(rows, ({ file }) => keyOf(file));
    const picturesOf = groupedBy(pictures, ({ name }) => keyOf(name));
    return (name: string) => [rowsOf.get(keyOf(name)), picturesOf.get(keyOf(name))] as const;
  });
  const met = new Set<Row>();
  const listed = pictures.map(({ name }): Listed => {
    const [named, alike] = ways.map((find) => find(name)).find(([found]) => found) ?? [];
    if (!named || !alike) return {};
    for (const row of named) met.add(row);
    const people = new Set(named.map(({ person }) => person?.userId));
    const files = new Set(alike.map((one) => `${one.name}/${one.version}`));
    return people.size + files.size > 2 ? { unclear: true } : { person: named[0]?.person };
  });
  const missing = rows.filter((row) => row.person && !met.has(row)).map(({ file }) => file);
  return { listed, missing: [...new Set(missing)] };
}

function groupedBy<One>(
  all: readonly One[],
  keyOf: (one: One) => string,
): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

type Rows = readonly (readonly string[])[];

/** The column named `file`, else that with the most names of pictures; -1: there is none. */
function fileColumnOf(rows: Rows, namesFile: (cell?: string) => boolean): number {
  const named = (rows[headLineOf(rows)] ?? []).findIndex((cell) => cell.trim().toLowerCase() === 'file');
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const counts = Array.from({ length: width }, (_, at) => rows.filter((row) => namesFile(row[at])).length);
  const most = Math.max(0, ...counts);
  return named >= 0 ? named : most > 0 ? counts.indexOf(most) : -1;
}

/** Where IDs and names are: pictures may be named by them, too. @returns null: there are no IDs */
function columnsBeside(rows: Rows, file: number): Columns | null {
  const line = headLineOf(rows);
  const heads = headsIn(rows[line]);
  if (heads.id >= 0) return { ...heads, from: line + 1 };
  if (!rows.some((row) => ending.test(row[file] ?? ''))) return columnsOf(rows);
  const columns = columnsOf(rows.map((row) => row.map((cell, at) => (at === file ? '' : cell))));
  return columns?.id === file ? null : columns;
}

/** UTF-8, UTF-16 as spreadsheets write it, or else Windows-1252. */
export function textOf(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
