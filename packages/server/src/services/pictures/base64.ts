/** What a base64 text held, or where it stops being base64. */
export type Base64 =
  | { readonly bytes: Buffer }
  | { readonly tooLarge: number /** Bytes the text would decode to; nothing was decoded. */ }
  | { readonly problem: string /** Half a sentence that says what was found, and where. */ };

const header = /^data:([^,]*),/i;
const foreign = /[^A-Za-z0-9+/_=-]/;
/** Begins at the line break itself: to look for blanks before it would take quadratic time on a run of blanks. */
const lineBreak = /[\r\n]\s*/g;

/**
 * Reads base64 as callers send it: either alphabet (`+/` or `-_`), wrapped in lines, behind a
 * `data:…;base64,` header, padded or not. Anything else is a problem with its position in the text, counted
 * from 0. A blank inside a line is one: it is mostly a `+` that a form encoding has lost, and leaving it out
 * would break the picture without a word.
 *
 * @param limit decoded bytes above which nothing is decoded
 * @example readBase64('data:image/png;base64,iVBORw0KGgo', 1_000_000); // { bytes: <Buffer 89 50 4e 47 …> }
 */
export function readBase64(text: string, limit: number): Base64 {
  const start = lengthOfBlanks(text);
  const head = header.exec(text.slice(start, start + 200));
  if (head && !/;\s*base64\s*$/i.test(head[1]!)) {
    return { problem: `the data: header does not end in ";base64," (position ${start})` };
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
  return { problem: `${what} at position ${offset + positionOf(body, at)}` };
}

/** `at` counts within the text without line breaks; none: the end of the text. */
function findProblem(
  compact: string,
  letters: number,
  padding: number,
): { at?: number; what: string } | undefined {
  const strange = compact.search(foreign);
  if (strange >= 0) return { at: strange, what: describe(compact.codePointAt(strange)!) };
  const early = compact.indexOf('=');
  if (early >= 0 && early < letters) return { at: early, what: 'padding "=" before the end' };
  if (letters % 4 === 1) return { what: 'the text is cut off: one letter too many or three too few' };
  if (padding > 0 && compact.length % 4 !== 0) return { at: letters, what: 'the wrong number of "="' };
  return undefined;
}

/** Place in a wrapped text of the character that is number `at` without line breaks. */
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

function describe(code: number): string {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code === 0x20) return `a blank inside a line (${name}; a "+" that a form encoding has lost?)`;
  const printable = code > 0x20 && code < 0x7f;
  return printable ? `the character "${String.fromCharCode(code)}" (${name})` : `the character ${name}`;
}
