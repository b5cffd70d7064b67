import { access, readdir } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { csvId, type Enrolee, type LeftOut } from '@wajah/client';
import { readPicture } from '@wajah/client/node';
import { endpoints, parseRequest } from '@wajah/contract';
import { z } from 'zod';
import { readCsv } from './csv-file.ts';
import type { ImportSource, PictureLimits } from './source.ts';

const { consent_reference, consent_purpose, consent_given_at, consent_until } =
  endpoints.enrolFace.request.shape;
const consentColumns = z.object({ consent_reference, consent_purpose, consent_given_at, consent_until });

/** Without a `user_name`, the user_id is the name. */
const columns = { required: ['user_id', 'file'], useful: 'user_id, user_name, file' } as const;

/**
 * A CSV file with the columns user_id, user_name and file, and those of a consent as in `enroll-face`. Paths are relative
 * to its folder. Further rows of a user_id are further pictures of the person.
 * @throws OperatorError as `readCsv`
 */
export async function openCsv(file: string, { maxBytes }: PictureLimits): Promise<ImportSource> {
  const folder = dirname(resolve(file));
  const { rows, note } = await readCsv(file, columns);
  const find = createFinder(folder);
  const people: Enrolee[] = [];
  const left_out: LeftOut[] = [];
  for (const { row, line, fault } of rows) {
    const { user_id: cell = '', user_name = '', file: name = '' } = row;
    const [user_id, place] = [csvId(cell), `line ${line}`];
    const consent = parseRequest(consentColumns, row);
    const reason =
      fault ??
      (user_id === '' ? 'the row has no user_id' : name === '' ? 'the row names no file' : undefined);
    const isHead = columns.required.every((column) => row[column]?.toLowerCase() === column);
    if (isHead) left_out.push({ file: place, reason: 'the row repeats the names of the columns' });
    else if (reason !== undefined) left_out.push({ file: place, reason, user_id });
    else if (!consent.ok) left_out.push({ file: place, reason: consent.detail, user_id });
    else {
      const image = async () => readPicture(await find(name), maxBytes);
      people.push({ user_id, user_name, place, pictures: [{ name, image }], ...consent.value });
    }
  }
  return { people, left_out, note };
}

/** Names that look the same: macOS writes letters with their marks apart, and Windows knows no case. */
const folded = (name: string) => name.normalize('NFC').toLowerCase();

/**
 * Finds the file that a row names: paths may be of Windows, and names in another case or form of Unicode than the file's,
 * where only one fits. Folders are listed once.
 */
function createFinder(folder: string) {
  const listed = new Map<string, Promise<ReadonlyMap<string, string[]>>>();
  /** Names of a folder that are alike but for their endings. */
  const namesLike = async (path: string, name: string) => {
    const names = listed.get(path) ?? readdir(path).then(byStem, () => new Map<string, string[]>());
    listed.set(path, names);
    return (await names).get(stemOf(name)) ?? [];
  };
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  /** @throws Error a sentence */
  return async (picture: string): Promise<string> => {
    const literal = resolve(folder, picture);
    if (await exists(literal)) return literal;
    if (/^([a-z]+:|\\\\)/i.test(picture))
      throw new Error('the path is one of another machine; write it from the folder of the CSV file on');
    const path = resolve(folder, picture.replaceAll('\\', '/'));
    const { root } = parse(path);
    let found = root;
    for (const part of path.slice(root.length).split(sep)) {
      const next = join(found, part);
      if (await exists(next)) found = next;
      else {
        const near = await namesLike(found, part);
        const [only, ...others] = near.filter((name) => folded(name) === folded(part));
        const but = near.length > 0 ? `, but ${near.slice(0, 3).join(', ')}` : '';
        if (only === undefined || others.length > 0) throw new Error(`there is no ${part}${but}`);
        found = join(found, only);
      }
    }
    return found;
  };
}

const stemOf = (name: string) => folded(parse(name).name);

function byStem(names: readonly string[]): Map<string, string[]> {
  const stems = new Map<string, string[]>();
  for (const name of names.toSorted()) {
    const alike = stems.get(stemOf(name));
    if (alike) alike.push(name);
    else stems.set(stemOf(name), [name]);
  }
  return stems;
}
