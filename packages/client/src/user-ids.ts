/** What a spreadsheet writes in place of a value that it cannot compute. */
const cellErrors = /^#(N\/?A|N\/V|REF|VALUE|NAME|NULL|NUM|DIV\/0|SPILL|CALC|FIELD|GETTING_DATA)[!?]?$/i;

/** What spreadsheets make of ids such as 1-2 and 1/2/2024, in English and Indonesian. */
const dates =
  /^(\d{1,2}\/\d{1,2}\/(\d\d|(19|20)\d\d)|(19|20)\d\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])|\d{1,2}-(jan|feb|mar|apr|mei|may|jun|jul|agu|agt|aug|sep|okt|oct|nov|des|dec)(-\d\d|-\d{4})?|(jan|feb|mar|apr|mei|may|jun|jul|agu|agt|aug|sep|okt|oct|nov|des|dec)-\d\d)$/i;

/** `3.174.001,00`: groups of three digits, which ids of other groups are not. */
const thousands = /^[1-9]\d{0,2}([.,'’\s])\d{3}(\1\d{3})*((?!\1)[.,]\d+)?$/;

/** Digits of a number that spreadsheets keep; further ones become 0. */
const keptDigits = 15;

const remedy =
  'set the format of the column to text before its ids are entered or pasted, or export it again from where it came from: digits that were lost do not come back';

/**
 * Whether a user_id looks as if a spreadsheet had damaged it.
 * @returns a sentence; null: it does not
 * @example damageOf('3.17401E+15') // '… a number in scientific notation …'
 */
export function damageOf(userId: string): string | null {
  const found = kindOf(userId);
  return found === null ? null : sentence(found);
}

const sentence = (found: string) => `the user_id looks damaged by a spreadsheet (${found}); ${remedy}`;

function kindOf(userId: string): string | null {
  if (/^[+-]?\d+([.,]\d+)?E[+-]\d+$/i.test(userId)) return 'a number in scientific notation';
  if (/^#+$/.test(userId)) return 'a row of #: the column was too narrow';
  if (cellErrors.test(userId)) return 'an error value';
  if (/^\d+[.,]0+$/.test(userId)) return 'a number with decimals';
  if (thousands.test(userId)) return 'a number with separators of thousands';
  if (dates.test(userId)) return 'a date';
  if (userId.startsWith('=')) return 'a formula';
  // One id in a thousand ends so by itself; no NIK does.
  if (isRounded(userId) && userId.endsWith('000')) return rounded;
  return null;
}

const rounded = 'a rounded number: from the 16th digit on it has only zeros';

/** Ids that end as rounded ones do, of which one in ten does by itself, are rounded where so many do and no other. */
const fewest = 4;

/** The sentence about ids that are rounded, all together or where several people have one; null: they are not. */
export function roundingOf(userIds: Iterable<string>): string | null {
  const long = [...userIds].filter((userId) => /^\d+$/.test(userId) && userId.length > keptDigits);
  if (long.length < fewest || !long.every(isRounded)) return null;
  return roundedBySpreadsheet;
}

export const roundedBySpreadsheet = sentence(rounded);

/** Whether a number of more digits than a spreadsheet keeps has only zeros behind those. */
export function isRounded(userId: string): boolean {
  return /^\d{15}0+$/.test(userId);
}
