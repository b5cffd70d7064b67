import { type Picture, UndecodedPicture } from '@wajah/contract';
import { type Phrase, phrase } from '@wajah/contract/refusals';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import { GatheredBytes } from '../../lib/gathered-bytes.ts';
import { Rest, unread } from './body-reader.ts';
import { type JsonBody, JsonReader } from './json-body.ts';
import { PictureText } from './picture-text.ts';
import type { BodyBounds, BodyReader } from './ports.ts';

/** A field of a multipart form (RFC 7578). */
export interface FormPart {
  /** Name of the field; empty: none was given. */
  readonly name: string;
  /** Whether it is a file: it has a file name, or a type of binary data. */
  readonly isFile: boolean;
  /** Content-Type in lower case without parameters; `text/plain` where none was given. */
  readonly type: string;
  /** The bytes of a file or of a text; a picture; JSON where the field takes a list or an object. */
  readonly content: Buffer | Picture | JsonBody;
}

/** What a field of a form takes, by its name. */
export type PartKind = 'picture' | 'json' | 'text';

/** Most bytes of the headers of a field. */
const mostHeaderBytes = 8192;
/** Most bytes of the blanks and the line break behind a delimiter. */
const mostBlanks = 1024;
/** Characters of the longest boundary (RFC 2046, section 5.1.1). */
const mostBoundary = 70;

const lineBreak = Buffer.from('\r\n');
const binary = /^(image\/|application\/octet-stream$)/;

/** Reads the content of a field. */
type Content = BodyReader<FormPart['content']>;

/**
 * Reads a multipart form (RFC 2046, section 5.1) while it arrives, its fields in their order. What no picture has is
 * bounded, delimiters and headers too.
 */
export class FormReader implements BodyReader<FormPart[]> {
  readonly #bounds: BodyBounds;
  readonly #kindOf: (name: string) => PartKind;
  readonly #names: ReadonlySet<string>;
  readonly #rest: Rest;
  readonly #delimiter: Buffer;
  readonly #parts: FormPart[] = [];
  /** What was read and not used: the opening delimiter has no line break before it. */
  #held: Buffer = lineBreak;
  #state: 'preamble' | 'headers' | 'content' | 'closed' = 'preamble';
  /** Bytes before the first delimiter. */
  #preamble = 0;
  /** Bytes before the content of the field. */
  #skip = 0;
  #part: (Omit<FormPart, 'content'> & { readonly content: Content }) | null = null;

  /**
   * @param contentType header of the request, which has the boundary
   * @param kindOf what a field takes @param names of fields that take a picture, inside of JSON
   * @throws Refusal `noBoundary`
   */
  constructor(
    contentType: string,
    bounds: BodyBounds,
    kindOf: (name: string) => PartKind,
    names: ReadonlySet<string> = new Set(),
  ) {
    this.#bounds = bounds;
    this.#kindOf = kindOf;
    this.#names = names;
    this.#rest = new Rest(bounds);
    this.#delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  }

  write(chunk: Buffer): void {
    if (this.#state === 'closed') return;
    let bytes: Buffer | null = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (bytes !== null) {
      const next: Buffer | null =
        this.#state === 'headers' ? this.#readHeaders(bytes) : this.#readContent(bytes);
      if (next === null) return;
      bytes = next;
    }
  }

  end(): FormPart[] {
    if (this.#state !== 'closed') throw new Refusal('formIncomplete');
    return this.#parts;
  }

  /** Reads to the end of the next delimiter. @returns what follows; null: more is needed */
  #readContent(bytes: Buffer): Buffer | null {
    const found = nextDelimiter(bytes, this.#delimiter);
    const start = found?.start ?? Math.max(0, bytes.length - this.#delimiter.length + 1);
    this.#addContent(bytes.subarray(0, start));
    if (!found?.line) {
      this.#held = bytes.subarray(start);
      return null;
    }
    const { end, closes } = found.line;
    this.#rest.add(end - start);
    if (this.#part) this.#parts.push({ ...this.#part, content: this.#part.content.end() });
    this.#part = null;
    this.#state = closes ? 'closed' : 'headers';
    return closes ? null : bytes.subarray(end);
  }

  #addContent(bytes: Buffer): void {
    const skipped = Math.min(this.#skip, bytes.length);
    this.#skip -= skipped;
    if (this.#part) this.#part.content.write(bytes.subarray(skipped));
    else this.#preamble += bytes.length;
    if (this.#preamble > this.#bounds.rest) throw new Refusal('formIncomplete', {}, unread);
  }

  /** Reads the headers of a field. @returns what follows; null: more is needed */
  #readHeaders(bytes: Buffer): Buffer | null {
    const number = this.#parts.length + 1;
    const end = bytes.subarray(0, mostHeaderBytes + 4).indexOf('\r\n\r\n');
    if (end < 0 && bytes.length <= mostHeaderBytes) {
      this.#held = bytes;
      return null;
    }
    if (end < 0) throw partRefusal(number, phrase('partHeadersTooLarge', { most: mostHeaderBytes }));
    if (bytes.indexOf(this.#delimiter.subarray(lineBreak.length)) === 0)
      throw partRefusal(number, phrase('noEmptyLine'));
    this.#rest.add(end);
    const head = readHead(bytes.toString('utf8', 0, end), number);
    this.#part = { ...head, content: this.#contentOf(head) };
    this.#state = 'content';
    // The line break before its content may be that of a delimiter, if it is empty.
    this.#skip = lineBreak.length;
    return bytes.subarray(end + lineBreak.length);
  }

  #contentOf({ name, isFile }: Omit<FormPart, 'content'>): Content {
    const kind = this.#kindOf(name);
    const { picture } = this.#bounds;
    if (kind === 'picture') return isFile ? pictureFile(picture) : new PictureText(picture);
    if (kind === 'json' && !isFile) return new JsonReader(this.#bounds, this.#names, this.#rest);
    return textOfRest(this.#rest, isFile ? name : undefined);
  }
}

/** @param limit most bytes that are kept */
function pictureFile(limit: number): Content {
  const gathered = new GatheredBytes(limit);
  return {
    write: (bytes) => gathered.add(bytes),
    end() {
      const file = gathered.end();
      if ('tooLarge' in file) return new UndecodedPicture(file);
      return file.bytes.length === 0 ? '' : file.bytes;
    },
  };
}

/** @param file name of a field with a file that is no picture */
function textOfRest(rest: Rest, file?: string): Content {
  const text = new GatheredBytes();
  return {
    write(bytes) {
      rest.add(bytes.length, file);
      text.add(bytes);
    },
    end: () => text.bytes,
  };
}

function partRefusal(number: number, problem: Phrase): Refusal {
  return new Refusal('formPart', { number, problem }, unread);
}

/** A line with a delimiter. */
interface DelimiterLine {
  /** Where the next line begins. */
  readonly end: number;
  /** Whether it ends the form. */
  readonly closes: boolean;
}

/** @returns where its line break begins; `line` is null where the bytes end before it is known to be one */
function nextDelimiter(
  bytes: Buffer,
  delimiter: Buffer,
): { readonly start: number; readonly line: DelimiterLine | null } | null {
  for (let start = bytes.indexOf(delimiter); start >= 0; start = bytes.indexOf(delimiter, start + 1)) {
    const line = lineAfter(bytes, start + delimiter.length);
    if (line !== 'other') return { start, line };
  }
  return null;
}

/** @param at end of the boundary @returns other: more than blanks follows it, the boundary is part of a longer text */
function lineAfter(bytes: Buffer, at: number): DelimiterLine | null | 'other' {
  const text = bytes.toString('latin1', at, at + mostBlanks);
  const [line] = /^(?:--|[ \t]*\r\n)/.exec(text) ?? [];
  if (line !== undefined) return { end: at + line.length, closes: line === '--' };
  return text.length < mostBlanks && /^(?:-|[ \t]*\r?)$/.test(text) ? null : 'other';
}

function readHead(text: string, number: number): Omit<FormPart, 'content'> {
  const headers = headersOf(text);
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data\s*(;|$)/i.test(disposition)) throw partRefusal(number, phrase('noDisposition'));
  requireBytes(number, headers.get('content-transfer-encoding'));
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || 'text/plain';
  const hasFileName = ['filename', 'filename*'].some((key) => parameterOf(disposition, key) !== undefined);
  return { name: parameterOf(disposition, 'name') ?? '', isFile: hasFileName || binary.test(type), type };
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
  throw partRefusal(number, phrase('partEncoded'));
}

function boundaryOf(contentType: string): string {
  const boundary = parameterOf(contentType, 'boundary') ?? '';
  if (boundary === '') throw new Refusal('noBoundary', {}, unread);
  // A longer one can be made so that it takes long to look for.
  if (boundary.length > mostBoundary)
    throw new Refusal('boundaryTooLong', { found: boundary.length, most: mostBoundary }, unread);
  return boundary;
}

/** Whether the body of a request is a multipart form. */
export function isForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}
