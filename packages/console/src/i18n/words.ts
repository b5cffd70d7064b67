import { computed } from '@preact/signals';
import { language } from '../state/preferences.ts';
import { activity } from './activity.ts';
import { common } from './common.ts';
import { figures } from './figures.ts';
import { galleries } from './galleries.ts';
import { keys } from './keys.ts';
import { liveness } from './liveness.ts';
import { login } from './login.ts';
import { reference } from './reference.ts';
import { system } from './system.ts';
import { tryIt } from './try-it.ts';

/** Every word of the console, by language. */
export const dictionary = {
  activity,
  common,
  figures,
  galleries,
  keys,
  liveness,
  login,
  reference,
  system,
  tryIt,
};

type Dictionary = typeof dictionary;

/** The words in the chosen language. @example words.value.login.submit */
export const words = computed(() => {
  const tongue = language.value;
  return Object.fromEntries(Object.entries(dictionary).map(([name, both]) => [name, both[tongue]])) as {
    [Area in keyof Dictionary]: Dictionary[Area]['en'];
  };
});

const locales = { en: 'en-GB', id: 'id-ID' } as const;

/** A number as people write it. @param digits after the decimal sign */
export function showNumber(value: number, digits = 0): string {
  const text = value.toLocaleString(locales[language.value], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return text.replace('-', '−');
}

/** A count in few characters, for marks of a scale. @example showShort(10000); // '10K' */
export function showShort(count: number): string {
  return count.toLocaleString(locales[language.value], { notation: 'compact' });
}

/** A share from 0 to 1 in percent. */
export function showPercent(share: number, digits = 0): string {
  return `${showNumber(share * 100, digits)} %`;
}

/** A moment in the time zone of the browser. */
export function showTime(moment: string | number | Date): string {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Date(moment).toLocaleString(locales[language.value], options);
}

/** The day of a moment in the time zone of the browser. */
export function showDay(moment: string): string {
  return new Date(moment).toLocaleDateString(locales[language.value], { dateStyle: 'medium' });
}

/** Bytes in the largest unit that keeps the number above 1. */
export function showBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${showNumber(bytes / 1024 ** step, step < 2 ? 0 : 1)} ${units[step]}`;
}
