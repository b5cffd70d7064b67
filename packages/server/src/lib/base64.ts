import { type Phrase, phrase } from '@wajah/contract/refusals';
import { GatheredBytes } from './gathered-bytes.ts';

/** The decoded bytes, or why there are none. */
export type Base64 =
  | { readonly bytes: Buffer }
  | { readonly tooLarge: number /** Decoded size in bytes. */ }
  | { readonly problem: Phrase /** What was found at which position. */ };

const header = /^data:([^,]*),/i;
/** UTF-16 units within which a header ends. */
const longestHeader = 200;
/** UTF-16 units that the padding and a line break behind it take. */
const mostPadding = 4;
const [lineFeed, carriageReturn, space, equals] = [0x0a, 0x0d, 0x20, 0x3d];

/** By code, whether it is a letter of either alphabet. */
const isLetter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Decodes base64 (RFC 4648) leniently: either alphabet (`+/` or `-_`), wrapped in lines, after a `data:…;base64,`
 * header, with or without padding. Anything else is reported with its position in the text, counted from 0. A blank
 * inside a line is an error too: it is usually a `+` that a form encoding has lost, and skipping it would silently
 * corrupt the picture.
 *
 * @param limit most decoded bytes; a larger text is not kept
 * @example readBase64('data:image/png;base64,iVBORw0KGgo', 1_000_000); // { bytes: <Buffer 89 50 4e 47 …> }
 */
export function readBase64(text: string, limit: number): Base64 {
  const decoder = new Base64Decoder(limit);
  decoder.add(text);
  return decoder.end();
}

/** Decodes base64 as `readBase64` does, in any pieces. */
export class Base64Decoder {
  readonly #decoded: GatheredBytes;
  /** Letters that are not decoded yet; between the pieces at most three. */
  #left = '';
  /** The beginning behind its blanks, until it is known whether it is a header. */
  #head: string | null = '';
  /** UTF-16 units before the present piece. */
  #position = 0;
  /** Behind the last letter or padding. */
  #end = 0;
  #padding = { count: 0, first: 0 };
  /** Blanks may follow a line break, and begin the text. */
  #skipsBlanks = true;
  /** What a blank is if something else follows it. */
  #blank: Phrase | null = null;
  #problem: Phrase | null = null;

  constructor(limit: number) {
    this.#decoded = new GatheredBytes(limit);
  }

  /** Whether there was nothing but blanks. */
  get isBlank(): boolean {
    return this.#head === '';
  }

  /**
   * Adds a text that is letters, without a look at each of them.
   * @returns false: it is not letters alone, or not certainly, and was not added
   */
  addLetters(text: string): boolean {
    const isPlain = this.#head === null && !this.#blank && this.#padding.count === 0 && !this.#problem;
    // Node takes other alphabets for Latin 1.
    if (!isPlain || text === '' || Buffer.byteLength(text) !== text.length) return false;
    const letters = this.#left + text;
    const left = letters.slice(letters.length - (letters.length % 4));
    if (!/^[\w+/-]*$/.test(left)) return false;
    if (!this.#decoded.addBase64(letters.slice(0, letters.length - left.length))) return false;
    this.#left = left;
    this.#skipsBlanks = false;
    this.#position += text.length;
    this.#end = this.#position;
    return true;
  }

  add(text: string): void {
    const rest = this.#head === null ? text : this.#behindHead(text);
    // What is no letter is often padding.
    const padding = Math.max(0, rest.length - mostPadding);
    this.#addUnits(this.addLetters(rest.slice(0, padding)) ? rest.slice(padding) : rest);
  }

  end(): Base64 {
    if (this.#head !== null) this.#addUnits(this.#behindHead('', true));
    const problem = this.#problem ?? this.#problemOfEnd();
    if (problem) return { problem };
    this.#decoded.add(Buffer.from(this.#left, 'base64'));
    return this.#decoded.end();
  }

  /** @returns what follows the header or is none; empty while it is not known */
  #behindHead(text: string, isEnd = false): string {
    const piece = this.#head === '' ? text.trimStart() : text;
    this.#position += text.length - piece.length;
    this.#head += piece;
    const head = this.#head!;
    if (head.length < longestHeader && !isEnd) return '';
    this.#head = null;
    const [all = '', type = ''] = header.exec(head.slice(0, longestHeader)) ?? [];
    if (all !== '' && !/;\s*base64\s*$/i.test(type)) {
      this.#problem = phrase('noBase64Header', { position: this.#position });
    }
    this.#position += all.length;
    return head.slice(all.length);
  }

  #addUnits(text: string): void {
    for (let at = 0; at < text.length && !this.#problem; at++) {
      const start = at;
      while (at < text.length && isLetter[text.charCodeAt(at)] === 1) at += 1;
      if (at > start) this.#addRun(text.slice(start, at), this.#position + start);
      if (at < text.length && !this.#problem) this.#addOther(text.codePointAt(at)!, this.#position + at);
    }
    this.#position += text.length;
    const whole = this.#left.length - (this.#left.length % 4);
    this.#decoded.addBase64(this.#left.slice(0, whole));
    this.#left = this.#left.slice(whole);
  }

  #addRun(run: string, at: number): void {
    this.#problem = this.#blank ?? (this.#padding.count > 0 ? this.#earlyPadding() : null);
    this.#skipsBlanks = false;
    this.#end = at + run.length;
    this.#left += run;
  }

  /** Adds what is no letter. */
  #addOther(code: number, at: number): void {
    if (code === lineFeed || code === carriageReturn) this.#skipsBlanks = true;
    else if (isBlank(code)) {
      if (!this.#skipsBlanks) this.#blank ??= characterAt(code, at);
    } else if (this.#blank || code !== equals) this.#problem = this.#blank ?? characterAt(code, at);
    else {
      if (this.#padding.count === 0) this.#padding.first = at;
      this.#padding.count += 1;
      if (this.#padding.count > 2) this.#problem = this.#earlyPadding();
      this.#skipsBlanks = false;
      this.#end = at + 1;
    }
  }

  #earlyPadding(): Phrase {
    return phrase('paddingAt', { position: this.#padding.first });
  }

  #problemOfEnd(): Phrase | null {
    const { count, first } = this.#padding;
    const more = this.#left.length;
    if (more === 1) return phrase('cutOffAt', { position: this.#end });
    if (count > 0 && (more + count) % 4 !== 0) return phrase('wrongPaddingAt', { position: first });
    return null;
  }
}

function isBlank(code: number): boolean {
  return code === space || ((code < space || code >= 0x80) && /\s/.test(String.fromCodePoint(code)));
}

function characterAt(code: number, position: number): Phrase {
  const codePoint = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code === space) return phrase('blankAt', { position });
  if (code < space || code >= 0x7f) return phrase('codePointAt', { code_point: codePoint, position });
  return phrase('characterAt', { character: String.fromCharCode(code), code_point: codePoint, position });
}
