import type { IncomingHttpHeaders } from 'node:http';
import { phrase } from '@wajah/contract/refusals';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { BodyMemory } from './receive-body.ts';

/** A field of a multipart form (RFC 7578). */
export interface FormPart {
  /** Name of the field; empty: none was given. */
  readonly name: string;
  /** Whether it is a file: it has a file name, or a type of binary data. */
  readonly isFile: boolean;
  /** Content-Type in lower case without parameters; `text/plain` where none was given. */
  readonly type: string;
  /** A part of the body that the form was read from. */
  readonly bytes: Buffer;
}

/** Most fields of a form; a batch of the greatest length has fewer. */
const mostParts = 200;

/** Most bytes of the headers of a field. */
const mostHeaderBytes = 8192;

const [tab, lineFeed, carriageReturn, space, dash] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];
const lineBreak = Buffer.from([carriageReturn, lineFeed]);
const binary = /^(image\/|application\/octet-stream$)/;

/**
 * Splits the body of a multipart form (RFC 2046, section 5.1) into its fields, in their order. The fields are views of
 * the body: nothing is copied, and the work is bounded by the bytes and by the most fields.
 * @param contentType header of the request, which has the boundary
 * @throws Refusal `malformed` when the form is not complete, has more than 200 fields, or a field cannot be read
 * @example readFormParts(Buffer.from(body), 'multipart/form-data; boundary=x'); // [{ name: 'user_id', … }]
 */
export function readFormParts(body: Buffer, contentType: string): FormPart[] {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  const opening = delimiter.subarray(lineBreak.length);
  const parts: FormPart[] = [];
  const startsForm = body.subarray(0, opening.length).equals(opening);
  let line = startsForm ? lineAfter(body, opening.length) : null;
  line ??= nextDelimiter(body, delimiter, 0);
  while (line && !line.closes) {
    if (parts.length === mostParts) throw new Refusal('tooManyFields', { most: mostParts });
    const next = nextDelimiter(body, delimiter, line.end - lineBreak.length);
    if (!next) throw new Refusal('formIncomplete');
    // A field without headers shares the line break of its delimiter.
    parts.push(readPart(body.subarray(line.end, Math.max(line.end, next.start)), parts.length + 1));
    line = next;
  }
  if (!line) throw new Refusal('formIncomplete');
  return parts;
}

/** A line of the body with a delimiter. */
interface DelimiterLine {
  /** Where its line break begins, and where the next line begins; bytes. */
  readonly start: number;
  readonly end: number;
  /** Whether it ends the form. */
  readonly closes: boolean;
}

function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): DelimiterLine | null {
  for (let start = body.indexOf(delimiter, from); start >= 0; start = body.indexOf(delimiter, start + 1)) {
    const line = lineAfter(body, start + delimiter.length, start);
    if (line) return line;
  }
  return null;
}

/** @param at end of the boundary @returns null when more than blanks follows it: the boundary is part of a longer text */
function lineAfter(body: Buffer, at: number, start = 0): DelimiterLine | null {
  if (body[at] === dash && body[at + 1] === dash) return { start, end: at + 2, closes: true };
  let end = at;
  while (body[end] === space || body[end] === tab) end += 1;
  const isEnd = body[end] === carriageReturn && body[end + 1] === lineFeed;
  return isEnd ? { start, end: end + 2, closes: false } : null;
}

/** @param number of the field, from 1, for errors */
function readPart(part: Buffer, number: number): FormPart {
  const end = part.subarray(0, mostHeaderBytes + 4).indexOf('\r\n\r\n');
  if (end < 0) {
    const problem =
      part.length > mostHeaderBytes
        ? phrase('partHeadersTooLarge', { most: mostHeaderBytes })
        : phrase('noEmptyLine');
    throw new Refusal('formPart', { number, problem });
  }
  const headers = headersOf(part.toString('utf8', 0, end));
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data\s*(;|$)/i.test(disposition)) {
    throw new Refusal('formPart', { number, problem: phrase('noDisposition') });
  }
  const name = parameterOf(disposition, 'name') ?? '';
  requireBytes(number, headers.get('content-transfer-encoding'));
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || 'text/plain';
  const hasFileName = ['filename', 'filename*'].some((key) => parameterOf(disposition, key) !== undefined);
  return { name, isFile: hasFileName || binary.test(type), type, bytes: part.subarray(end + 4) };
}

/** Values by names in lower case; a line that begins with a blank continues the one before. */
function headersOf(text: string): Map<string, string> {
  const lines = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim().toLowerCase(), value.join(':').trim()];
    }),
  );
}

/** A parameter of a header; quoted values may have \" inside. */
function parameterOf(header: string, name: string): string | undefined {
  const parameters = header.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gs);
  for (const [, key, quoted, plain] of parameters)
    if (key?.toLowerCase() === name) return quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain;
  return undefined;
}

/** RFC 7578, section 4.7: fields of a form have no encoding of their own. */
function requireBytes(number: number, encoding = 'binary'): void {
  if (/^(binary|7bit|8bit)$/i.test(encoding)) return;
  throw new Refusal('formPart', { number, problem: phrase('partEncoded') });
}

function boundaryOf(contentType: string): string {
  const boundary = parameterOf(contentType, 'boundary') ?? '';
  if (boundary !== '') return boundary;
  throw new Refusal('noBoundary');
}

/** Whether the body of a request is a multipart form. */
export function isForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * Reads the multipart form of a request, which was received within the limits of all bodies, and releases it.
 * @param use takes what is needed of the fields, whose bytes are gone when it returns
 * @throws Refusal `malformed` when the form is incomplete, has too many fields, or a field cannot be read; what `use` throws
 * @example const pictures = await readForm(request, (parts) => parts.map(({ bytes }) => Buffer.from(bytes)));
 */
export async function readForm<T>(
  request: Pick<FastifyRequest, 'headers' | 'body'>,
  use: (parts: readonly FormPart[]) => T,
): Promise<T> {
  requireUncompressed(request.headers);
  const memory = request.body as BodyMemory | undefined;
  try {
    const bytes = memory?.bytes ?? Buffer.alloc(0);
    return use(bytes.length === 0 ? [] : readFormParts(bytes, request.headers['content-type'] ?? ''));
  } finally {
    memory?.release();
  }
}

/** @throws Refusal `malformed` when the body is compressed: its size would not be known before it is read */
export function requireUncompressed(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Refusal('bodyCompressed');
  }
}
