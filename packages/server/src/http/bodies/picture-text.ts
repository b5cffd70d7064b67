import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { type Picture, UndecodedPicture } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { Base64Decoder } from '../../lib/base64.ts';
import type { BodyReader } from './ports.ts';

const [quotationMark, backslash] = [0x22, 0x5c];

/** Decodes the base64 of a picture, UTF-8, while it arrives. */
export class PictureText implements BodyReader<Picture> {
  protected readonly decoder: Base64Decoder;
  #utf8: TextDecoder | null = null;

  /** @param limit most decoded bytes that are kept */
  constructor(limit: number) {
    this.decoder = new Base64Decoder(limit);
  }

  write(bytes: Buffer): void {
    this.decoder.add(this.textOf(bytes));
  }

  /** @param bytes the next ones; absent: there are no more */
  protected textOf(bytes?: Buffer): string {
    // A tenth of the time.
    if (!this.#utf8 && (!bytes || isAscii(bytes))) return bytes?.toString('latin1') ?? '';
    this.#utf8 ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    try {
      return this.#utf8.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Refusal('bodyNotUtf8');
    }
  }

  /** @returns an empty text: there were blanks alone */
  end(): Picture {
    this.textOf();
    if (this.decoder.isBlank) return '';
    const read = this.decoder.end();
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

  /** @returns where the quotation mark is that ends it; negative: not in these bytes */
  endIn(bytes: Buffer): number {
    let at = bytes.indexOf(quotationMark);
    while (at >= 0 && this.#isEscaped(bytes, at)) at = bytes.indexOf(quotationMark, at + 1);
    return at;
  }

  #isEscaped(bytes: Buffer, at: number): boolean {
    let first = at;
    while (first > 0 && bytes[first - 1] === backslash) first -= 1;
    return ((at - first) % 2 === 1) !== (first === 0 && this.#cut === '\\');
  }

  override write(bytes: Buffer): void {
    const text = this.textOf(bytes);
    this.length += text.length;
    if (this.#cut === '' && this.decoder.addLetters(text)) return;
    const all = this.#cut + text;
    this.#cut = openEscape.exec(all)?.[1] ?? '';
    this.#unescape(all.slice(0, all.length - this.#cut.length));
  }

  override end(): Picture {
    this.#unescape(this.#cut);
    return super.end();
  }

  #unescape(text: string): void {
    if (this.fault !== '') return;
    try {
      this.decoder.add(JSON.parse(`"${text}"`) as string);
    } catch {
      this.fault = firstFault(text);
    }
  }
}

/** The beginning of an escape at the end of a text. */
const openEscape = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/;

/** What a text of JSON begins with until its first control character, or escape that is none. */
const faultless = /^(?:[ -[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;

function firstFault(text: string): string {
  const at = faultless.exec(text)![0].length;
  return text.slice(at, at + (text.charCodeAt(at) === backslash ? 6 : 1));
}
