import { link as english, type LinkTexts } from './languages/en.ts';
import { link as id } from './languages/id.ts';
import { languageOf } from './texts.ts';

const translations: Readonly<Record<string, LinkTexts>> = { id };

/** What the page of a link says besides the element. @param language as for the element */
export function linkTextsFor(language: string): typeof english {
  return { ...english, ...translations[languageOf(language)] };
}
