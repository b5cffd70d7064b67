/** Longest user_id, user_name, facegallery_id and trx_id, in code points. */
export const maxNameLength = 120;

/**
 * Characters that names may not contain: control characters, unpaired surrogates, line and paragraph separators,
 * bidirectional controls (they make one name look like another), invisible spaces and noncharacters.
 */
const forbidden =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u;

/** UTF-16 units above which a name is too long in any normal form, so that normalising it is wasted work. */
const normalisedUpTo = 4096;

/** Number of Unicode code points. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** A name as it is stored and compared: trimmed, Unicode normal form C. */
export function normaliseName(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > normalisedUpTo ? trimmed : trimmed.normalize('NFC');
}

/** `U+202E`. */
function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What is wrong with a normalised name, for a sentence that begins with the field; null when it is valid. */
export function nameProblem(name: string, max = maxNameLength): string | null {
  const length = codePointLength(name);
  if (length > max) return `found ${length} characters, at most ${max} are allowed`;
  const found = forbidden.exec(name);
  if (found === null) return null;
  const place = codePointLength(name.slice(0, found.index)) + 1;
  return `found ${codePointName(found[0])} at character ${place}, only printable characters are allowed`;
}

/** A quoted text in which unprintable characters are replaced by their code points. */
export function quote(text: string): string {
  return `"${text.replace(new RegExp(forbidden, 'gu'), codePointName)}"`;
}
