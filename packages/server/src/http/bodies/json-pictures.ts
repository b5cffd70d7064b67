import { randomUUID } from 'node:crypto';
import { decodeBase64 } from '../../lib/base64.ts';
import type { FormShape } from './form-fields.ts';

/** Bytes of a string from which it is taken for a picture. */
const longFrom = 1024;

/** Quotation marks in a body that are looked at: the largest batch has a tenth of them. */
const mostQuotes = 2000;

const [quotationMark, backslash] = [0x22, 0x5c];

/** What stands before the base64 in a data URL, in the spelling of browsers. */
const dataUrl = /^data:[\w/.+;=-]{0,100};base64,/;
const longestDataUrl = 120;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Of the content of a string, bytes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The value of a JSON body, with the bytes of each picture instead of its base64: they are decoded out of the body, and no
 * text is made of them. All else is the value that `JSON.parse` gives.
 * @param shape of the request
 * @returns null: the body has to be parsed as a text, because it has a fault, no picture of at least 1,024 bytes, or such
 *   a text where no picture belongs
 */
export function parseWithPictures(body: Buffer, shape: FormShape): { readonly value: unknown } | null {
  // It stands for the picture in the JSON that is parsed. No caller knows it.
  const mark = randomUUID();
  const pictures = new Map<string, Buffer>();
  const rest: Buffer[] = [];
  let at = 0;
  for (const { start, end } of longStrings(body)) {
    const text = withoutEscapes(body.subarray(start, end));
    const [head = ''] = dataUrl.exec(text.toString('latin1', 0, longestDataUrl)) ?? [];
    const bytes = decodeBase64(text.subarray(head.length));
    if (bytes === null) continue;
    const name = `${mark} ${pictures.size}`;
    pictures.set(name, bytes);
    rest.push(body.subarray(at, start), Buffer.from(name));
    at = end;
  }
  if (pictures.size === 0) return null;
  rest.push(body.subarray(at));
  const value = parsed(Buffer.concat(rest));
  putPictures(value, shape, pictures);
  return pictures.size === 0 ? { value } : null;
}

/** The long strings up to the first one that does not end, or the last quotation mark that is looked at. */
function longStrings(body: Buffer): Span[] {
  const found: Span[] = [];
  let opened = -1;
  let at = body.indexOf(quotationMark);
  for (let count = 0; at >= 0 && count < mostQuotes; count++) {
    if (opened < 0) opened = at;
    else if (!isEscaped(body, at)) {
      if (at - opened > longFrom) found.push({ start: opened + 1, end: at });
      opened = -1;
    }
    at = body.indexOf(quotationMark, at + 1);
  }
  return found;
}

/** Programs in PHP write a slash as `\/`. */
function withoutEscapes(content: Buffer): Buffer {
  if (!content.includes(backslash)) return content;
  return Buffer.from(content.toString('latin1').replaceAll('\\/', '/'), 'latin1');
}

/** Whether an odd number of backslashes is before a quotation mark. */
function isEscaped(body: Buffer, at: number): boolean {
  let before = at - 1;
  while (body[before] === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

/** @returns undefined: the text has a fault, which is reported of the whole body */
function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(json));
  } catch {
    return undefined;
  }
}

/** Puts pictures in the places of the request that take one, and takes those out of the map. */
function putPictures(value: unknown, shape: FormShape, pictures: Map<string, Buffer>): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, field] of shape) {
    const given = fields[name];
    if ('fields' in field) {
      for (const entry of Array.isArray(given) ? given : [given]) putPictures(entry, field.fields, pictures);
    } else if (field.kind === 'picture' && typeof given === 'string') {
      const bytes = pictures.get(given);
      if (bytes === undefined) continue;
      fields[name] = bytes;
      pictures.delete(given);
    }
  }
}
