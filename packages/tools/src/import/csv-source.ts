import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Enrolee } from '@wajah/client';
import { readPicture } from '@wajah/client/node';
import { endpoints, parseRequest } from '@wajah/contract';
import { OperatorError } from '@wajah/server/commands';
import { parse } from 'csv-parse';
import { z } from 'zod';
import type { ImportSource, PictureLimits } from './source.ts';

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
 * A CSV file with the columns user_id, user_name and file, and those of a consent as in `enroll-face`; others are ignored.
 * As spreadsheets save it: RFC 4180, with commas, semicolons or tabs, a line `sep=;` before it, in UTF-8 or Windows-1252,
 * with paths of Windows. Paths are relative to its folder. Further rows of a user_id are further pictures of the person.
 * @throws OperatorError when it cannot be read, or a column is missing
 */
export async function openCsv(file: string, { maxBytes }: PictureLimits): Promise<ImportSource> {
  const folder = dirname(resolve(file));
  const people: Enrolee[] = [];
  try {
    const form = await formOf(file);
    for await (const { record: row, info } of rowsOf(file, form)) {
      if (people.length === maxRows) throw new OperatorError(`${file} has more than ${maxRows} rows`);
      const { user_id = '', user_name = '', file: name = '' } = row;
      const image = async () => readPicture(await pathOf(folder, name), maxBytes);
      const place = `line ${info.lines}`;
      people.push({ user_id, user_name, place, pictures: [{ name, image }], ...consentOf(row) });
    }
    const { note } = form;
    return { people, left_out: [], ...(note && { note }) };
  } catch (error) {
    throw refusalOf(file, error);
  }
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

/** How a file is written. */
interface CsvForm {
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly delimiter: string;
  /** Lines before that of the columns. */
  readonly before: number;
  readonly note?: string;
}

/** What may stand between values, in the order of preference. */
const delimiters = [',', ';', '\t', '|'];

/** @throws OperatorError when the file is empty, or no text of these encodings */
async function formOf(file: string): Promise<CsvForm> {
  const isUtf8 = await isValidUtf8(file);
  const encoding = isUtf8 ? 'utf-8' : 'windows-1252';
  const note = `${file} is not UTF-8; it is read as Windows-1252. Check the names, or save it as UTF-8`;
  const lines = (await headOf(file, encoding)).split(/\r\n|\n|\r/);
  const said = /^"?sep=(.)"?$/i.exec(lines[0] ?? '')?.[1];
  const head = (said === undefined ? lines : lines.slice(1)).find((line) => line.trim() !== '');
  if (head === undefined) throw new OperatorError(`${file} is empty; its first line names the columns`);
  const fits = (delimiter: string) => {
    const names = columnsOf(head.split(delimiter).map((name) => name.replace(/^\s*"(.*)"\s*$/, '$1')));
    return required.every((name) => names.includes(name));
  };
  const delimiter = said ?? delimiters.find(fits) ?? ',';
  return { encoding, delimiter, before: said === undefined ? 0 : 1, ...(!isUtf8 && { note }) };
}

/** The beginning of a file, with the line that names its columns. */
async function headOf(file: string, encoding: CsvForm['encoding']): Promise<string> {
  for await (const part of createReadStream(file, { end: maxRow }) as AsyncIterable<Buffer>)
    return new TextDecoder(encoding).decode(part);
  return '';
}

/** Rows with the line where each ends. */
function rowsOf(file: string, { encoding, delimiter, before }: CsvForm) {
  const rows = parse({
    columns: (head: string[]) => requireColumns(file, head),
    delimiter,
    from_line: before + 1,
    info: true,
    max_record_size: maxRow,
    skip_empty_lines: true,
    trim: true,
  });
  // Its errors also end the rows.
  pipeline(textOf(file, encoding), rows).catch(() => undefined);
  return rows as AsyncIterable<{ readonly record: Row; readonly info: { readonly lines: number } }>;
}

/** @throws OperatorError when times are not ISO 8601 */
function consentOf(row: Row): z.output<typeof consentColumns> {
  const parsed = parseRequest(consentColumns, row);
  if (parsed.ok) return parsed.value;
  const { user_id: userId = '', file = '' } = row;
  throw new OperatorError(`the row of ${userId}, ${file}: ${parsed.detail}`);
}

const columnsOf = (head: readonly string[]) => head.map((name) => name.trim().toLowerCase());

function requireColumns(file: string, head: readonly string[]): string[] {
  const names = columnsOf(head);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  throw new OperatorError(
    `${file}: the first line names the columns ${names.join(', ')}; ${missing.join(' and ')} is missing (needed: user_id, user_name, file, with commas, semicolons or tabs between them)`,
  );
}

/** @throws OperatorError when the file is no text */
async function isValidUtf8(file: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  let isValid = true;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    if (isFirst && /^(\xFF\xFE|\xFE\xFF)/.test(part.toString('latin1', 0, 2)))
      throw otherText(file, 'UTF-16');
    if (part.includes(0)) throw otherText(file, 'a NUL byte');
    isFirst = false;
    isValid &&= decodes(() => decoder.decode(part, { stream: true }));
  }
  return isValid && decodes(() => decoder.decode());
}

function decodes(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

async function* textOf(file: string, encoding: CsvForm['encoding']): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>)
    yield decoder.decode(part, { stream: true });
  yield decoder.decode();
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
