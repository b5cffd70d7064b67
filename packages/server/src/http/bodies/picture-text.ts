import { type Picture, UndecodedPicture } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { Base64Decoder } from '../../lib/base64.ts';
import type { BodyReader } from './ports.ts';

const backslash = 0x5c;

/** Decodes the base64 of a picture, UTF-8, while it arrives. */
export class PictureText implements BodyReader<Picture> {
  readonly #decoder: Base64Decoder;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /** @param limit most decoded bytes that are kept */
  constructor(limit: number) {
    this.#decoder = new Base64Decoder(limit);
  }

  write(bytes: Buffer): void {
    if (!this.addLetters(bytes)) this.addText(this.textOf(bytes));
  }

  /** As `Base64Decoder.addLetters`. */
  protected addLetters(bytes: Buffer): boolean {
    return this.#decoder.addLetters(bytes);
  }

  protected addText(text: string): void {
    this.#decoder.addText(text);
  }

  /** @param bytes the next ones; absent: there are no more */
  protected textOf(bytes?: Buffer): string {
    try {
      return this.#utf8.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Refusal('bodyNotUtf8');
    }
  }

  end(): Picture {
    this.textOf();
    const read = this.#decoder.end();
    return 'bytes' in read ? read.bytes : new UndecodedPicture(read);
  }
}

/** The same as the content of a text of JSON. */
export class EscapedPictureText extends PictureText {
  /** UTF-16 units that were read. */
  length = 0;
  /** What makes it no text of JSON, and a little more; empty: nothing. */
  fault = '';
  /** The beginning of an escape that the next piece ends. */
  #cut = '';

  override write(bytes: Buffer): void {
    if (this.#cut === '' && this.addLetters(bytes)) {
      this.length += bytes.length;
      return;
    }
    const text = this.#cut + this.textOf(bytes);
    const end = endOfWhole(text);
    this.#cut = text.slice(end);
    this.#addEscaped(text.slice(0, end));
  }

  override end(): Picture {
    this.#addEscaped(this.#cut);
    return super.end();
  }

  #addEscaped(text: string): void {
    this.length += text.length;
    if (this.fault !== '') return;
    try {
      this.addText(JSON.parse(`"${text}"`) as string);
    } catch {
      this.fault = firstFault(text);
    }
  }
}

const validEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The first control character, or the beginning of the first escape, that no text of JSON has. */
function firstFault(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) return text[at]!;
    if (code !== backslash) continue;
    validEscape.lastIndex = at;
    if (!validEscape.test(text)) return text.slice(at, at + 6);
    at = validEscape.lastIndex - 1;
  }
  return '';
}

/** Where an escape begins that the text does not end, else its end. */
function endOfWhole(text: string): number {
  const digits = /u[0-9a-fA-F]{0,3}$/.exec(text.slice(-4))?.[0].length ?? 0;
  const end = text.length - digits;
  let first = end;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (end - first) % 2 === 1 ? end - 1 : text.length;
}
