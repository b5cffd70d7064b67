/** Longest user_id, user_name, facegallery_id and trx_id, in code points. */
export const maxNameLength = 120;

/**
 * Characters a name may not hold: control characters, unpaired surrogates, line and paragraph separators,
 * bidirectional controls (they let one name look like another), invisible spaces and noncharacters.
 */
const forbidden =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u;

/** Beyond this many UTF-16 units a name is too long in any normal form, and not worth normalising. */
const worthNormalising = 4096;

/** Number of Unicode code points. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** A name as it is stored and compared: trimmed, Unicode normal form C. */
export function normaliseName(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > worthNormalising ? trimmed : trimmed.normalize('NFC');
}

/** `U+202E`. */
function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What is wrong with a normalised name, as the rest of a sentence that begins with the field; null: nothing. */
export function nameProblem(name: string, max = maxNameLength): string | null {
  const length = codePointLength(name);
  if (length > max) return `found ${length} characters, at most ${max} are allowed`;
  const found = forbidden.exec(name);
  if (found === null) return null;
  const place = codePointLength(name.slice(0, found.index)) + 1;
  return `found ${codePointName(found[0])} at character ${place}, only printable characters are allowed`;
}

/** Text that is safe to print in a sentence: quoted, what cannot be printed as its code point. */
export function quote(text: string): string {
  return `"${text.replace(new RegExp(forbidden, 'gu'), codePointName)}"`;
}
