import { language } from '../state/preferences.ts';

/** The BCP 47 tag by which numbers and times are written. */
export const locale = () => (language.value === 'en' ? 'en-GB' : language.value);

/** @param digits decimal places */
export function formatNumber(value: number, digits = 0): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(locale(), options).replace('-', '−');
}

/** A similarity score or its threshold, with the four decimals of answers. @example formatSimilarity(0.625); // '0.6250' */
export function formatSimilarity(value: number): string {
  return formatNumber(value, 4);
}

/** @param share 0 to 1 */
export function formatPercent(share: number, digits = 0): string {
  return `${formatNumber(share * 100, digits)} %`;
}

/** Date and time in the browser's time zone. */
export function formatTime(moment: string | number | Date): string {
  return new Date(moment).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** Date in the browser's time zone. */
export function formatDate(moment: string): string {
  return new Date(moment).toLocaleDateString(locale(), { dateStyle: 'medium' });
}

/** The day in the browser's time zone, as fields and files have it. @example dayText(new Date(2026, 0, 31)); // '2026-01-31' */
export const dayText = (time: Date) => time.toLocaleDateString('sv-SE');

/** Time of the day in the browser's time zone. */
export function formatClock(moment: Date): string {
  return moment.toLocaleTimeString(locale(), { timeStyle: 'short' });
}

/** @example formatDuration(7300); // '2 hours' */
export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const [value, unit] =
    minutes < 120 ? [minutes, 'minute'] : hours < 72 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
  return value.toLocaleString(locale(), { style: 'unit', unit, unitDisplay: 'long' });
}

/** Bytes in the largest unit that keeps the number above 1. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatNumber(bytes / 1024 ** step, step < 2 ? 0 : 1)} ${units[step]}`;
}
