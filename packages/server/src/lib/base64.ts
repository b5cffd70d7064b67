import { type Phrase, phrase } from '@wajah/contract/refusals';

/** The decoded bytes, or why there are none. */
export type Base64 =
  | { readonly bytes: Buffer }
  | { readonly tooLarge: number /** Decoded size in bytes. */ }
  | { readonly problem: Phrase /** What was found at which position. */ };

const header = /^data:([^,]*),/i;
/** UTF-16 units within which a header ends. */
const longestHeader = 200;
const [lineFeed, carriageReturn, space, equals] = [0x0a, 0x0d, 0x20, 0x3d];

/** By code, whether it is a letter of either alphabet. */
const letters = Uint8Array.from({ length: 128 }, (_, code) =>
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
  decoder.addText(text);
  return decoder.end();
}

/** Decodes base64 as `readBase64` does, in any pieces. */
export class Base64Decoder {
  readonly #limit: number;
  readonly #decoded: Buffer[] = [];
  /** Bytes that were decoded. */
  #size = 0;
  /** Letters that are not decoded yet; between the pieces at most three. */
  #left = '';
  /** The beginning, until it is known whether it is a header. */
  #head: string | null = '';
  /** UTF-16 units before the present piece. */
  #position = 0;
  /** Behind the last letter or padding. */
  #end = 0;
  #padding = { count: 0, first: 0, isEarly: false };
  /** Blanks may follow a line break, and begin the text. */
  #skipsBlanks = true;
  /** A blank that nothing but blanks may follow. */
  #blank: { readonly code: number; readonly at: number } | null = null;
  #problem: Phrase | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Adds bytes that are letters, without a look at each of them.
   * @returns false: they are not letters alone, or not certainly, and were not added
   */
  addLetters(bytes: Buffer): boolean {
    const isPlain = this.#head === null && !this.#blank && this.#padding.count === 0 && !this.#problem;
    if (!isPlain || bytes.length === 0) return false;
    const text = this.#left + bytes.toString('latin1');
    const whole = text.length - (text.length % 4);
    // Node skips what is no letter: it shows in the length.
    const decoded = Buffer.from(text.slice(0, whole), 'base64');
    if (decoded.length !== (whole / 4) * 3 || !/^[\w+/-]*$/.test(text.slice(whole))) return false;
    this.#take(decoded);
    this.#left = text.slice(whole);
    this.#skipsBlanks = false;
    this.#position += bytes.length;
    this.#end = this.#position;
    return true;
  }

  addText(text: string): void {
    if (this.#head === null) this.#add(text);
    else {
      this.#head += text;
      if (this.#head.trimStart().length >= longestHeader) this.#endHead(this.#head);
    }
  }

  end(): Base64 {
    if (this.#head !== null) this.#endHead(this.#head);
    const size = this.#size + Math.floor((this.#left.length * 3) / 4);
    const problem = this.#problem ?? this.#problemOfEnd();
    if (problem) return { problem };
    if (size > this.#limit) return { tooLarge: size };
    return { bytes: Buffer.concat([...this.#decoded, Buffer.from(this.#left, 'base64')], size) };
  }

  #endHead(head: string): void {
    this.#head = null;
    const start = head.length - head.trimStart().length;
    const found = header.exec(head.slice(start, start + longestHeader));
    if (found && !/;\s*base64\s*$/i.test(found[1]!)) {
      this.#problem = phrase('noBase64Header', { position: start });
    }
    this.#position = start + (found?.[0].length ?? 0);
    this.#add(head.slice(this.#position));
  }

  #add(text: string): void {
    for (let at = 0; at < text.length && !this.#problem; at++) {
      const start = at;
      while (letters[text.charCodeAt(at)] === 1) at += 1;
      if (at > start) this.#addRun(text.slice(start, at), this.#position + start);
      if (at < text.length) this.#addOther(text.codePointAt(at)!, this.#position + at);
    }
    this.#position += text.length;
    const whole = this.#left.length - (this.#left.length % 4);
    this.#take(Buffer.from(this.#left.slice(0, whole), 'base64'));
    this.#left = this.#left.slice(whole);
  }

  #addRun(run: string, at: number): void {
    if (this.#blank) {
      this.#problem = characterAt(this.#blank.code, this.#blank.at);
      return;
    }
    this.#skipsBlanks = false;
    if (this.#padding.count > 0) this.#padding.isEarly = true;
    else {
      this.#end = at + run.length;
      this.#left += run;
    }
  }

  /** Adds what is no letter. */
  #addOther(code: number, at: number): void {
    if (code === lineFeed || code === carriageReturn) this.#skipsBlanks = true;
    else if (isBlank(code)) {
      if (!this.#skipsBlanks) this.#blank ??= { code, at };
    } else if (this.#blank) this.#problem = characterAt(this.#blank.code, this.#blank.at);
    else if (code === equals) {
      if (this.#padding.count === 0) this.#padding.first = at;
      this.#padding.count += 1;
      this.#skipsBlanks = false;
      this.#end = at + 1;
    } else this.#problem = characterAt(code, at);
  }

  #take(decoded: Buffer): void {
    this.#size += decoded.length;
    if (this.#size > this.#limit) this.#decoded.length = 0;
    else this.#decoded.push(decoded);
  }

  #problemOfEnd(): Phrase | null {
    const { count, first, isEarly } = this.#padding;
    const more = this.#left.length;
    if (isEarly || count > 2) return phrase('paddingAt', { position: first });
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
