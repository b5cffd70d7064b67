import MiniSearch from 'minisearch';
import type { Language } from './languages.ts';
import type { SitePage } from './layout.ts';
import { translationOf } from './pages.ts';
import { type SearchEntry, searchOptions } from './search-options.ts';

/**
 * The search index of a language as a script, which a page that was opened from a disk can load too. The Indonesian one
 * has the English pages that are not translated.
 */
export function searchScript(language: Language, pages: readonly SitePage[]): string {
  const shown = pages.filter((page) => page.language === language || !translationOf(page, pages));
  const index = new MiniSearch<SearchEntry>(searchOptions);
  const entries = shown.flatMap((page) =>
    page.sections.map(({ id, title, text }, at) => ({
      title,
      text,
      page: at === 0 ? '' : page.title,
      address: at === 0 ? page.target : `${page.target}#${id}`,
    })),
  );
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return `globalThis.wajahGuideIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}
