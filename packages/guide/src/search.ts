import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** A section of a page in the search index. */
export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  /** Words by which readers search it and that it does not have. */
  readonly keywords: string;
  /** Title of the page, where the section is not its first one. */
  readonly page: string;
  /** From the root of the site, with the anchor. */
  readonly address: string;
  /** Factor of its score: pages about tasks come before the reference. */
  readonly weight: number;
}

/** Words of questions that name no subject, in both languages. */
const ignored = new Set(
  (
    'a an and are be can do does for from how i in is it me my of on or the this to what when where which why with you your ' +
    'ada adalah agar apa apakah atau bagaimana cara dan dari dengan di ini itu ke mana pada saya untuk yang'
  ).split(' '),
);

/** An HTTP status, as readers search it. */
const statusForm = /^[45]\d\d$/;

/** The same options write the index and read it. Numbers alone are left out, since tables are full of them; statuses are keywords. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'text', 'page', 'keywords'],
  storeFields: ['title', 'text', 'page', 'address', 'weight'],
  processTerm: (written, field) => {
    const term = written.toLowerCase();
    if (statusForm.test(term) && (field === undefined || field === 'keywords')) return term;
    return /^[\d.,%]*$/.test(term) || term.length > 40 || ignored.has(term) ? null : term;
  },
  searchOptions: {
    boost: { title: 4, keywords: 6, page: 2 },
    boostDocument: (_, __, stored) => Number(stored?.['weight'] ?? 1),
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};

/** A section that was found, with the words of its text by which it was. */
export type FoundSection = SearchEntry & Pick<SearchResult, 'terms'>;

/** Sections with all words of a query, the best first; where there are none, those with some. */
export function findSections(index: MiniSearch<SearchEntry>, query: string): FoundSection[] {
  const all = index.search(query);
  const found = all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
  const byName = new Map<string, FoundSection>();
  for (const one of found as unknown as FoundSection[]) {
    // Tables of one page share their headings.
    const name = `${one.page} ${one.title}`;
    if (!byName.has(name)) byName.set(name, one);
  }
  return [...byName.values()];
}
