import { csvId, groupPeople } from '@wajah/client';
import { type Columns, columnsOf, headsIn, rowsIn } from './people-list.ts';

/** Whose pictures the files of a list are. */
export interface PeopleTable {
  /** Names and IDs by the name of the file, without folders, in lower case. */
  readonly byFile: ReadonlyMap<string, ListedPerson>;
  /** IDs that are not used: damaged by a spreadsheet, or of several names. */
  readonly refused: readonly string[];
}

interface ListedPerson {
  readonly userId: string;
  readonly userName: string;
  /** Not the first picture of the person. */
  readonly further: boolean;
}

/** What a file is called: without folders, in lower case. */
const fileIn = (cell: string) => (cell.split(/[\\/]/).at(-1) ?? '').toLowerCase();
const ending = /\.(jpe?g|png|webp|avif|hei[cf])$/;

/**
 * Reads a CSV file that names pictures, as spreadsheets save it: an ID, the name of a file and, if it is there, the name of
 * the person in each line. The names of files are found by what stands there, whatever the head of their column is.
 * @param pictures names of the files that are to be named
 * @throws Error when it names none
 */
export function peopleIn(bytes: ArrayBuffer, pictures: readonly string[]): PeopleTable {
  const rows = rowsIn(textOf(bytes)) ?? [];
  const given = new Set(pictures.flatMap((name) => [fileIn(name), fileIn(name).replace(/\.\w+$/, '')]));
  const namesFile = (cell = '') => given.has(fileIn(cell)) || ending.test(fileIn(cell));
  const file = fileColumnOf(rows, namesFile);
  const columns = file < 0 ? null : columnsBeside(rows, file);
  if (!columns) throw new Error('no picture is named');
  const from = columns.from || (namesFile(rows[0]?.[file]) ? 0 : 1);
  const { people, refused } = groupPeople(
    rows.slice(from).flatMap((row) => {
      const name = fileIn(row[file] ?? '');
      const person = { user_id: csvId(row[columns.id] ?? ''), user_name: row[columns.name] ?? '' };
      return name === '' ? [] : { ...person, pictures: [{ name, image: '' }] };
    }),
  );
  const listed = people.flatMap(({ user_id: userId, user_name: userName, pictures }) =>
    pictures.map(({ name }, at) => [name, { userId, userName, further: at > 0 }] as const),
  );
  return { byFile: new Map(listed), refused: refused.map(({ person }) => person.user_id) };
}

type Rows = readonly (readonly string[])[];

/** The column named `file`, else that with the most names of pictures; -1: there is none. */
function fileColumnOf(rows: Rows, namesFile: (cell?: string) => boolean): number {
  const heads = (rows[0] ?? []).map((cell) => cell.trim().toLowerCase());
  const counts = heads.map((_, at) => rows.filter((row) => namesFile(row[at])).length);
  const most = Math.max(0, ...counts);
  return heads.includes('file') ? heads.indexOf('file') : most > 0 ? counts.indexOf(most) : -1;
}

/** Where IDs and names are: pictures may be named by them, too. @returns null: there are no IDs */
function columnsBeside(rows: Rows, file: number): Columns | null {
  const heads = headsIn(rows[0]);
  if (heads.id >= 0) return { ...heads, from: 1 };
  if (!rows.some((row) => ending.test(fileIn(row[file] ?? '')))) return columnsOf(rows);
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
