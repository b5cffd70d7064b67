import { csvColumns, csvFormOf, csvId, csvOptionsOf, groupPeople } from '@wajah/client';
import { parse } from 'csv-parse/browser/esm/sync';

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

const needed = ['user_id', 'file'];

/**
 * Reads the CSV file of `wajah import` as spreadsheets save it: the columns user_id, file and, if it is there, user_name.
 * @throws Error when a column is missing, or the file is no CSV
 */
export function peopleIn(bytes: ArrayBuffer): PeopleTable {
  const text = textOf(bytes);
  const form = csvFormOf(text, needed);
  if (!form.fits) throw new Error(needed.join(', '));
  const rows: Readonly<Record<string, string>>[] = parse(text, {
    ...csvOptionsOf(form),
    columns: csvColumns,
  });
  const { people, refused } = groupPeople(
    rows.map(({ user_id = '', user_name = '', file = '' }) => {
      const name = (file.split(/[\\/]/).at(-1) ?? '').toLowerCase();
      return { user_id: csvId(user_id), user_name, pictures: [{ name, image: '' }] };
    }),
  );
  const listed = people.flatMap(({ user_id: userId, user_name: userName, pictures }) =>
    pictures.map(({ name }, at) => [name, { userId, userName, further: at > 0 }] as const),
  );
  return { byFile: new Map(listed), refused: refused.map(({ person }) => person.user_id) };
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
