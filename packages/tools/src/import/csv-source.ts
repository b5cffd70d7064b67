import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { camelCased, endpoints, parseRequest } from '@wajah/contract';
import { OperatorError, type PersonTermsText, Refusal, termsOf, termsText } from '@wajah/server/commands';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { type ImportSource, type ListedPicture, peopleOf, readPicture } from './people.ts';

type Row = Readonly<Record<string, string | undefined>>;

const { consent_reference, consent_purpose, consent_given_at, consent_until } =
  endpoints.enrolFace.request.shape;
const consentColumns = z.object({ consent_reference, consent_purpose, consent_given_at, consent_until });

/** Characters of a row at most. */
const maxRow = 64 * 1024;
const maxRows = 2_000_000;

/** Columns that are needed. Without a `user_name`, the user_id is the name. */
const required = ['user_id', 'file'] as const;

/**
 * A CSV file (RFC 4180, UTF-8) with the columns user_id, user_name and file, and those of a consent as in `enroll-face`;
 * others are ignored. Paths are relative to its folder. Further rows of a user_id are further pictures of the person.
 * @throws OperatorError when it cannot be read, or a column is missing
 */
export async function openCsv(file: string, perPerson: number, maxBytes: number): Promise<ImportSource> {
  const folder = dirname(resolve(file));
  let columns: readonly string[] = [];
  const rows = parse({
    columns: (head: string[]) => {
      columns = requireColumns(file, head);
      return [...columns];
    },
    max_record_size: maxRow,
    skip_empty_lines: true,
    trim: true,
  });
  // Its errors also end the rows.
  pipeline(textOf(file), rows).catch(() => undefined);
  const listed: ListedPicture[] = [];
  try {
    for await (const row of rows as AsyncIterable<Row>) {
      if (listed.length === maxRows) throw new OperatorError(`${file} has more than ${maxRows} rows`);
      const { user_id: userId = '', user_name: name = '', file: picture = '' } = row;
      listed.push({
        userId,
        userName: name || userId,
        file: picture,
        read: () => readPicture(resolve(folder, picture), maxBytes),
        terms: consentOf(row),
      });
    }
    if (columns.length === 0) throw new OperatorError(`${file} is empty; its first line names the columns`);
  } catch (error) {
    throw refusalOf(file, error);
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

/** @throws OperatorError when the file is no text in UTF-8 */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    if (isFirst && /^(\xFF\xFE|\xFE\xFF)/.test(part.toString('latin1', 0, 2)))
      throw otherText(file, 'UTF-16');
    if (part.includes(0)) throw otherText(file, 'a NUL byte');
    isFirst = false;
    yield decoded(file, () => decoder.decode(part, { stream: true }));
  }
  yield decoded(file, () => decoder.decode());
}

function decoded(file: string, decode: () => string): string {
  try {
    return decode();
  } catch {
    throw otherText(file, 'other bytes');
  }
}

function otherText(file: string, found: string): OperatorError {
  return new OperatorError(`${file}: found ${found}; allowed is text in UTF-8, save it as such`);
}

function refusalOf(file: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const sentence = {
    CSV_MAX_RECORD_SIZE: `a row has more than ${maxRow} characters, or a quote is not closed`,
    CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  }[code ?? ''];
  if (sentence !== undefined) return new OperatorError(`${file}: ${sentence}`, { cause: error });
  return new OperatorError(
    /^E[A-Z]+$/.test(code ?? '') ? `${file} cannot be read (${code})` : `${file}: ${message}`,
    { cause: error },
  );
}
