import type { Options } from 'minisearch';

/** A section of a page in the search index. */
export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  /** Title of the page, where the section is not its first one. */
  readonly page: string;
  /** From the root of the site, with the anchor. */
  readonly address: string;
}

/** The same options write the index and read it. Numbers alone are left out: tables are full of them. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'text', 'page'],
  storeFields: ['title', 'page', 'address'],
  processTerm: (term) => (/^[\d.,%]*$/.test(term) || term.length > 40 ? null : term.toLowerCase()),
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};
