import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Enrolee } from '@wajah/client';
import { readPicture } from '@wajah/client/node';
import { endpoints, parseRequest } from '@wajah/contract';
import { OperatorError } from '@wajah/server/commands';
import { z } from 'zod';
import { type CsvRow, readCsv } from './csv-file.ts';
import type { ImportSource, PictureLimits } from './source.ts';

const { consent_reference, consent_purpose, consent_given_at, consent_until } =
  endpoints.enrolFace.request.shape;
const consentColumns = z.object({ consent_reference, consent_purpose, consent_given_at, consent_until });

/** Without a `user_name`, the user_id is the name. */
const columns = { required: ['user_id', 'file'], useful: 'user_id, user_name, file' } as const;

/**
 * A CSV file with the columns user_id, user_name and file, and those of a consent as in `enroll-face`. Paths may be of
 * Windows, and are relative to its folder. Further rows of a user_id are further pictures of the person.
 * @throws OperatorError as `readCsv`
 */
export async function openCsv(file: string, { maxBytes }: PictureLimits): Promise<ImportSource> {
  const folder = dirname(resolve(file));
  const { rows, note } = await readCsv(file, columns);
  const people = rows.map(({ row, line }): Enrolee => {
    const { user_id = '', user_name = '', file: name = '' } = row;
    const image = async () => readPicture(await pathOf(folder, name), maxBytes);
    return { user_id, user_name, place: `line ${line}`, pictures: [{ name, image }], ...consentOf(row) };
  });
  return { people, left_out: [], note };
}

/** Paths that were written on Windows. */
async function pathOf(folder: string, picture: string): Promise<string> {
  const path = resolve(folder, picture);
  if (!picture.includes('\\')) return path;
  const isFile = await access(path).then(
    () => true,
    () => false,
  );
  return isFile ? path : resolve(folder, picture.replaceAll('\\', '/'));
}

/** @throws OperatorError when times are not ISO 8601 */
function consentOf(row: CsvRow): z.output<typeof consentColumns> {
  const parsed = parseRequest(consentColumns, row);
  if (parsed.ok) return parsed.value;
  const { user_id: userId = '', file: picture = '' } = row;
  throw new OperatorError(`the row of ${userId}, ${picture}: ${parsed.detail}`);
}
