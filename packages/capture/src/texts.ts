import { texts as english, type TextOverrides, type Texts } from './languages/en.ts';
import { texts as id } from './languages/id.ts';

export type { TextOverrides, Texts } from './languages/en.ts';

/** Translations by the first part of their BCP 47 tag; what one lacks is English. */
const translations: Readonly<Record<string, TextOverrides>> = { id };

/** @param language a BCP 47 tag such as `id-ID`; one without a translation gets English */
export function textsFor(language: string, overrides: TextOverrides = {}): Texts {
  return replaced(replaced(english, translations[languageOf(language)] ?? {}), overrides);
}

/** The language that there are texts in. @example languageOf('id-ID'); // 'id' */
export function languageOf(language: string): string {
  // Java calls Indonesian by its code before 1989.
  const tag = language.toLowerCase().replace(/-.*/, '').replace(/^in$/, 'id');
  return Object.hasOwn(translations, tag) ? tag : 'en';
}

const groups = ['steps', 'stepNames', 'sees', 'hints', 'errors', 'reasons'] as const;

function replaced(texts: Texts, own: TextOverrides): Texts {
  const inGroups = groups.map((group) => [group, { ...texts[group], ...own[group] }]);
  return { ...texts, ...own, ...Object.fromEntries(inGroups) };
}

/** @example fill('Step {step} of {total}', { step: 2, total: 5 }) // 'Step 2 of 5' */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The texts of the server's reasons, each kind once. */
export function reasonTexts(reasons: readonly string[], texts: Texts): string[] {
  const names = reasons.map((reason) => /^\w+/.exec(reason)?.[0] ?? '');
  const found = names.map((name) =>
    Object.hasOwn(texts.reasons, name)
      ? texts.reasons[name as keyof Texts['reasons']]
      : texts.reasons.unknown,
  );
  return [...new Set(found)];
}
