/** What a spreadsheet writes in place of a value that it cannot compute, in any language. */
const cellErrors = /^(#.+[!?]|#N\/?[A-Z]|#GETTING_DATA|Err:\d+)$/i;

const day = '(?:0?[1-9]|[12]\\d|3[01])';
const month = '(?:Jan|Feb|Mar|Apr|Mei|May|Jun|Jul|Agu|Agt|Aug|Sep|Okt|Oct|Nov|Des|Dec)';
const year = '(?:19|20)\\d\\d';
const time = '\\d?\\d:\\d\\d(?::\\d\\d)?(?: [AP]M)?';
/**
 * How spreadsheets write the dates and times that they make of ids such as 1-2 and MAR1, in English and Indonesian. What they
 * make them of (MAR1, DEC-2024, MEI-12, 12:30) is none: it was kept.
 */
const dates = new RegExp(
  `^(?!\\d?\\d:\\d\\d$)(?:(?:${day}([-/.])${day}\\1${year}|${day}/${day}/\\d\\d|${year}([-/.])(?:0?[1-9]|1[0-2])\\2${day}|${day}[- ]${month}(?:[- ](?:${year}|\\d\\d))?|${month}-\\d\\d)(?: ${time})?|${time})$`,
);

/** `3.174.001,00`: groups of three digits, which ids of other groups are not. */
const thousands = /^[1-9]\d{0,2}([.,'’\s])\d{3}(\1\d{3})*((?!\1)[.,]\d+)?$/;

/** Digits of a number that spreadsheets keep; further ones become 0. */
const keptDigits = 15;

/** @param found as what a user_id looks damaged */
export const damaged = (found: string) =>
  `the user_id looks damaged by a spreadsheet (${found}); set the format of the column to text before its ids are entered or pasted, or export it again from where it came from: digits that were lost do not come back`;

export const aDate = 'a date or a time';

/**
 * As what a user_id looks damaged by a spreadsheet; null: it does not.
 * @example damageOf('3.17401E+15') // 'a number in scientific notation'
 */
export function damageOf(userId: string): string | null {
  if (/^[+-]?\d+([.,]\d+)?E[+-]\d+$/i.test(userId)) return 'a number in scientific notation';
  if (/^#+$/.test(userId)) return 'a row of #: the column was too narrow';
  if (cellErrors.test(userId)) return 'an error value';
  if (/^(null|NULL|None|NaN|nan|undefined|-+)$/.test(userId)) return 'no value';
  if (/^\d+[.,]0+$/.test(userId)) return 'a number with decimals';
  if (thousands.test(userId)) return 'a number with separators of thousands';
  if (dates.test(userId)) return aDate;
  if (userId.startsWith('=')) return 'a formula';
  // One id in a thousand ends so by itself; no NIK does.
  if (isRounded(userId) && userId.endsWith('000')) return rounded;
  return null;
}

export const rounded = 'a rounded number: from the 16th digit on it has only zeros';

/** Ids that end as rounded ones do, of which one in ten does by itself, are rounded where so many do and no other. */
const fewest = 4;

/** As what the ids of a list look damaged all together; null: they do not. */
export function roundingOf(userIds: Iterable<string>): string | null {
  const long = [...userIds].filter((userId) => /^\d+$/.test(userId) && userId.length > keptDigits);
  if (long.length < fewest || !long.every(isRounded)) return null;
  return rounded;
}

/** Whether a number of more digits than a spreadsheet keeps has only zeros behind those. */
export function isRounded(userId: string): boolean {
  return /^\d{15}0+$/.test(userId);
}
