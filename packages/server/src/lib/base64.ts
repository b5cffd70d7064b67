import { type Phrase, phrase } from '@wajah/contract/refusals';

/** The decoded bytes, or why there are none. */
export type Base64 =
  | { readonly bytes: Buffer }
  | { readonly tooLarge: number /** Decoded size in bytes; nothing was decoded. */ }
  | { readonly problem: Phrase /** What was found at which position. */ };

const header = /^data:([^,]*),/i;
const notBase64 = /[^A-Za-z0-9+/_=-]/;
/** Starts at the line break itself: leading blanks in the pattern would take quadratic time on a run of blanks. */
const lineBreak = /[\r\n]\s*/g;

/**
 * Decodes base64 (RFC 4648) leniently: either alphabet (`+/` or `-_`), wrapped in lines, after a `data:…;base64,`
 * header, with or without padding. Anything else is reported with its position in the text, counted from 0. A blank
 * inside a line is an error too: it is usually a `+` that a form encoding has lost, and skipping it would silently
 * corrupt the picture.
 *
 * @param limit most decoded bytes; a larger text is not decoded
 * @example readBase64('data:image/png;base64,iVBORw0KGgo', 1_000_000); // { bytes: <Buffer 89 50 4e 47 …> }
 */
export function readBase64(text: string, limit: number): Base64 {
  const start = lengthOfBlanks(text);
  const head = header.exec(text.slice(start, start + 200));
  if (head && !/;\s*base64\s*$/i.test(head[1]!)) {
    return { problem: phrase('noBase64Header', { position: start }) };
  }
  const rest = text.slice(start + (head?.[0].length ?? 0)).trimEnd();
  const offset = start + (head?.[0].length ?? 0) + lengthOfBlanks(rest);
  const body = rest.trimStart();
  const compact = /[\r\n]/.test(body) ? body.replace(lineBreak, '') : body;
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0;
  const letters = compact.length - padding;
  const size = Math.floor((letters * 3) / 4);
  if (size > limit) return { tooLarge: size };
  const problem = findProblem(compact, letters, padding);
  if (problem === undefined) return { bytes: Buffer.from(compact, 'base64') };
  const { at = compact.length, what } = problem;
  return { problem: what(offset + positionOf(body, at)) };
}

/** @returns `at`: index in the text without line breaks; absent: its end */
function findProblem(
  compact: string,
  letters: number,
  padding: number,
): { at?: number; what: (position: number) => Phrase } | undefined {
  const invalid = compact.search(notBase64);
  if (invalid >= 0) return { at: invalid, what: characterOf(compact.codePointAt(invalid)!) };
  const early = compact.indexOf('=');
  if (early >= 0 && early < letters)
    return { at: early, what: (position) => phrase('paddingAt', { position }) };
  if (letters % 4 === 1) return { what: (position) => phrase('cutOffAt', { position }) };
  if (padding > 0 && compact.length % 4 !== 0)
    return { at: letters, what: (position) => phrase('wrongPaddingAt', { position }) };
  return undefined;
}

/** Letters that are decoded at a time, a multiple of four: a text of them is a small one. */
const piece = 32 * 1024;
const equals = 0x3d;

/**
 * Decodes base64 that is given as bytes, without a text of all of it.
 * @returns null where `readBase64` finds a problem, or more than letters and padding, such as line breaks
 */
export function decodeBase64(base64: Buffer): Buffer | null {
  const padding = base64.at(-1) !== equals ? 0 : base64.at(-2) !== equals ? 1 : 2;
  const letters = base64.length - padding;
  if (letters <= 0 || letters % 4 === 1 || (padding > 0 && (letters + padding) % 4 !== 0)) return null;
  const bytes = Buffer.allocUnsafeSlow(Math.floor((letters * 3) / 4));
  let written = 0;
  for (let at = 0; at < letters; at += piece) {
    const text = base64.toString('latin1', at, Math.min(at + piece, letters));
    const decoded = bytes.write(text, written, 'base64');
    // Node skips what is no letter: it shows in the length.
    if (decoded !== Math.floor((text.length * 3) / 4)) return null;
    written += decoded;
  }
  return bytes;
}

/** Index in the wrapped text of the character at index `at` without line breaks. */
function positionOf(body: string, at: number): number {
  let skipped = 0;
  for (const run of body.matchAll(lineBreak)) {
    if (run.index - skipped > at) break;
    skipped += run[0].length;
  }
  return at + skipped;
}

function lengthOfBlanks(text: string): number {
  return text.length - text.trimStart().length;
}

function characterOf(code: number): (position: number) => Phrase {
  const codePoint = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code === 0x20) return (position) => phrase('blankAt', { position });
  if (code < 0x20 || code >= 0x7f)
    return (position) => phrase('codePointAt', { code_point: codePoint, position });
  const character = String.fromCharCode(code);
  return (position) => phrase('characterAt', { character, code_point: codePoint, position });
}
