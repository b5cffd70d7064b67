import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { camelCased, endpoints, parseRequest } from '@wajah/contract';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { type PersonTermsText, termsText } from '../../../admin/inputs.ts';
import { OperatorError, Refusal } from '../../../errors.ts';
import { termsOf } from '../../../services/people/terms.ts';
import { type ImportSource, type ListedPicture, peopleOf } from '../people.ts';
import { readPicture } from './folder-source.ts';

type Row = Readonly<Record<string, string | undefined>>;

const { consent_reference, consent_purpose, consent_given_at, consent_until } =
  endpoints.enrolFace.request.shape;
const consentColumns = z.object({ consent_reference, consent_purpose, consent_given_at, consent_until });

/** Columns that are needed. Without a `user_name`, the user_id is the name. */
const required = ['user_id', 'file'] as const;

/**
 * A CSV file (RFC 4180, UTF-8) with the columns user_id, user_name and file, and those of a consent as in `enroll-face`;
 * others are ignored. Paths are relative to its folder. Further rows of a user_id are further pictures of the person.
 * @throws OperatorError when it cannot be read, or a column is missing
 */
export async function openCsv(file: string, perPerson: number, maxBytes: number): Promise<ImportSource> {
  const folder = dirname(resolve(file));
  const rows = createReadStream(file).pipe(
    parse({
      bom: true,
      columns: (head: string[]) => requireColumns(file, head),
      skip_empty_lines: true,
      trim: true,
    }),
  );
  const listed: ListedPicture[] = [];
  try {
    // The stream of the file does not pass its errors on.
    await requireReadable(file);
    for await (const row of rows as AsyncIterable<Row>) {
      const { user_id: userId = '', user_name: name = '', file: picture = '' } = row;
      listed.push({
        userId,
        userName: name || userId,
        file: picture,
        read: () => readPicture(resolve(folder, picture), maxBytes),
        terms: consentOf(row),
      });
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return { ...peopleOf(listed, perPerson), close: async () => undefined };
}

/** @throws OperatorError when times are not ISO 8601, or do not fit */
function consentOf(row: Row): PersonTermsText | undefined {
  const parsed = parseRequest(consentColumns, row);
  if (!parsed.ok) throw wrongRow(row, parsed.detail);
  try {
    const { consent } = termsOf(camelCased(parsed.value));
    return consent ? termsText({ consent }) : undefined;
  } catch (error) {
    throw error instanceof Refusal ? wrongRow(row, error.detail) : error;
  }
}

function wrongRow({ user_id: userId = '', file = '' }: Row, detail: string | undefined): OperatorError {
  return new OperatorError(`the row of ${userId}, ${file}: ${detail}`);
}

function requireColumns(file: string, head: readonly string[]): string[] {
  const names = head.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  throw new OperatorError(
    `${file}: the first line names the columns ${names.join(', ')}; ${missing.join(' and ')} is missing (needed: user_id, user_name, file)`,
  );
}

async function requireReadable(file: string): Promise<void> {
  const { access, constants } = await import('node:fs/promises');
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read (${error.code})`, { cause: error });
  });
}
