import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { type CsvForm, csvColumns, csvDelimiters, csvFormOf, csvOptionsOf } from '@wajah/client';
import { OperatorError } from '@wajah/server/commands';
import { parse } from 'csv-parse';

export type CsvRow = Readonly<Record<string, string | undefined>>;

export interface CsvFile {
  /** With the line where each ends, and what is wrong with those that cannot be read. */
  readonly rows: readonly { readonly row: CsvRow; readonly line: number; readonly fault?: string }[];
  /** How the file is read, where that is to be said. */
  readonly note?: string;
}

/** What a file must have. */
interface Columns {
  readonly required: readonly string[];
  /** In an error: the required ones, and those that are useful. */
  readonly useful: string;
  /** A file of one column without a head is a list of these. */
  readonly list?: string;
}

/** Characters of a row at most. */
const maxRow = 64 * 1024;
const maxRows = 2_000_000;

/**
 * Reads a CSV file as spreadsheets save it: RFC 4180, with commas, semicolons or tabs, a line `sep=;` before it, in UTF-8,
 * UTF-16 or Windows-1252. Names of columns are in any case; further columns are ignored.
 * @throws OperatorError when it cannot be read, or a column is missing
 */
export async function readCsv(file: string, columns: Columns): Promise<CsvFile> {
  const rows: CsvFile['rows'][number][] = [];
  let parsedTo = 0;
  try {
    const form = await formOf(file, columns);
    parsedTo = form.before + (form.list === undefined ? 1 : 0);
    const parsed = rowsOf(file, form, columns, (line) => (parsedTo = line));
    for await (const { record: row, info } of parsed) {
      if (rows.length === maxRows) throw new OperatorError(`${file} has more than ${maxRows} rows`);
      const fault = info.error && wrongLength(info.error);
      rows.push({ row, line: info.lines, ...(fault && { fault }) });
    }
    const { note } = form;
    return { rows, ...(note && { note }) };
  } catch (error) {
    throw refusalOf(file, error, parsedTo + 1);
  }
}

/** A value may hold a delimiter that is not quoted: no cell of the row is sure. */
function wrongLength({ record = [], columns }: RowError): string | undefined {
  const expected = Array.isArray(columns) ? columns.length : 1;
  if (record.length > expected && record.slice(expected).every((value) => value === '')) return undefined;
  return `the row has ${record.length} values, and ${expected} columns are named`;
}

/** What the parser says of a row with more or fewer values than columns. */
interface RowError {
  readonly record?: readonly string[];
  readonly columns?: unknown;
}

interface FileForm extends Pick<CsvForm, 'delimiter' | 'before'> {
  readonly encoding: string;
  /** The only column of a list; undefined: the first line names the columns. */
  readonly list: string | undefined;
  readonly note?: string;
}

/** @throws OperatorError when the file is empty, or no text of these encodings */
async function formOf(file: string, { required, list }: Columns): Promise<FileForm> {
  const encoding = await encodingOf(file);
  const note = `${file} is not UTF-8; it is read as Windows-1252. Check the names, or save it as UTF-8`;
  const { head, fits, ...form } = csvFormOf(await headOf(file, encoding), required);
  if (head === undefined) throw new OperatorError(`${file} is empty; its first line names the columns`);
  const isList = !fits && !csvDelimiters.some((one) => head.includes(one));
  return {
    ...form,
    encoding,
    list: isList ? list : undefined,
    ...(encoding === 'windows-1252' && { note }),
  };
}

/** The beginning of a file, with the line that names its columns. */
async function headOf(file: string, encoding: string): Promise<string> {
  for await (const part of createReadStream(file, { end: maxRow }) as AsyncIterable<Buffer>)
    return new TextDecoder(encoding).decode(part);
  return '';
}

/** Rows with the line where each ends. @param onRow called as each is parsed, before it is read */
function rowsOf(file: string, form: FileForm, columns: Columns, onRow: (line: number) => void) {
  const { encoding, list } = form;
  const rows = parse({
    ...csvOptionsOf(form),
    columns: list === undefined ? (head: string[]) => requireColumns(file, head, columns) : [list],
    info: true,
    max_record_size: maxRow,
    on_record: (record: CsvRow, { lines }) => {
      onRow(lines);
      return record;
    },
  });
  // Its errors also end the rows.
  pipeline(textOf(file, encoding), rows).catch(() => undefined);
  return rows as AsyncIterable<{
    readonly record: CsvRow;
    readonly info: { readonly lines: number; readonly error?: RowError };
  }>;
}

function requireColumns(file: string, head: readonly string[], { required, useful }: Columns): string[] {
  const names = csvColumns(head);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  throw new OperatorError(
    `${file}: the first line names the columns ${names.join(', ')}; ${missing.join(' and ')} is missing (needed: ${useful}, with commas, semicolons or tabs between them)`,
  );
}

/** Of a byte order mark; UTF-8 if all of it is that, else Windows-1252. @throws OperatorError when the file is no text */
async function encodingOf(file: string): Promise<string> {
  let decoder: TextDecoder | undefined;
  let isValid = true;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    if (decoder === undefined && workbooks.includes(part.toString('hex', 0, 4)))
      throw notText(file, 'a workbook of a spreadsheet (XLSX, XLS or ODS)', 'CSV UTF-8');
    decoder ??= new TextDecoder(markedEncoding(part), { fatal: true });
    const text = decodes(decoder, part);
    if (decoder.encoding === 'utf-8' ? part.includes(0) : text?.includes('\0'))
      throw notText(file, 'a NUL byte');
    isValid &&= text !== null;
  }
  decoder ??= new TextDecoder();
  isValid &&= decodes(decoder) !== null;
  if (isValid) return decoder.encoding;
  if (decoder.encoding !== 'utf-8') throw notText(file, 'damaged UTF-16');
  return 'windows-1252';
}

/** The first bytes of a ZIP archive, which XLSX and ODS are, and of XLS. */
const workbooks = ['504b0304', 'd0cf11e0'];

function markedEncoding(part: Buffer): string {
  const mark = part.toString('hex', 0, 2);
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
}

/** @param part absent: the end of the text @returns null: it is not in this encoding */
function decodes(decoder: TextDecoder, part?: Buffer): string | null {
  try {
    return part ? decoder.decode(part, { stream: true }) : decoder.decode();
  } catch {
    return null;
  }
}

async function* textOf(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>)
    yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}

function notText(file: string, found: string, form = 'such'): OperatorError {
  return new OperatorError(`${file}: found ${found}; allowed is text in UTF-8, save it as ${form}`);
}

/** @param line from which on no row was parsed */
function refusalOf(file: string, error: unknown, line: number): OperatorError {
  if (error instanceof OperatorError) return error;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const sentence = {
    CSV_MAX_RECORD_SIZE: `a row has more than ${maxRow} characters, or a quote is not closed`,
    CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
    CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a quote is not closed, or stands within a quoted value',
  }[code ?? ''];
  if (sentence !== undefined)
    return new OperatorError(`${file}: from line ${line} on: ${sentence}`, { cause: error });
  return new OperatorError(
    syscall !== undefined ? `${file} cannot be read (${code})` : `${file}: ${message}`,
    { cause: error },
  );
}
