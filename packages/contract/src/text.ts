/** Longest user_id, user_name, facegallery_id and trx_id, in code points. */
export const maxNameLength = 120;

/**
 * Characters that names may not contain: control characters, unpaired surrogates, line and paragraph separators,
 * bidirectional controls (they make one name look like another), invisible characters and noncharacters. Joiners are
 * allowed, which scripts need and programs send, and variation selectors behind pictograms and ideographs.
 */
const forbidden =
  /(?<!\p{Extended_Pictographic})[\uFE00-\uFE0F]|(?<!\p{Ideographic})[\u{E0100}-\u{E01EF}]|\u034F|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E00FF}]/u;

/** UTF-16 units above which a name is too long in any normal form, so that normalising it is wasted work. */
const normalisedUpTo = 4096;

/** Number of Unicode code points. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** A name as it is stored and compared: trimmed, Unicode normal form C, with one kind of blank. */
export function normaliseName(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > normalisedUpTo ? trimmed : trimmed.normalize('NFC').replace(/\p{Zs}/gu, ' ');
}

/** `U+202E`. */
function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What is wrong with a normalised name: it is too long, or has a character (`U+202E`) that names may not have. */
export function findFault(
  name: string,
  max: number,
): { readonly length: number } | { readonly character: string; readonly place: number } | null {
  const length = codePointLength(name);
  if (length > max) return { length };
  const found = forbidden.exec(name);
  if (found === null) return null;
  const place = codePointLength(name.slice(0, found.index)) + 1;
  return { character: codePointName(found[0]), place };
}

/** As JSON and JavaScript escape them, unprintable characters: those of a name may move the cursor of a terminal. */
export function escapeUnprintable(text: string): string {
  return text.replace(new RegExp(forbidden, 'gu'), (found) =>
    found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** A quoted text in which unprintable characters are replaced by their code points. */
export function quote(text: string): string {
  return `"${text.replace(new RegExp(forbidden, 'gu'), codePointName)}"`;
}
