import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'en' | 'id';

/** A document and the page that is made from it. */
export interface PageSource {
  /** Path of the Markdown file from the root of the repository. */
  readonly source: string;
  /** Path of the page from the root of the site. */
  readonly target: string;
  /** Of what is around the document: the list of pages and the search. */
  readonly language: Language;
  /** Of the document. */
  readonly written: Language;
  /** Where the list of pages has it; null: nowhere. */
  readonly group: Group | null;
}

/** The list of pages: English documents under their headings, in this order. */
export const contents = {
  start: [
    'docs/start.md',
    'docs/guide.md',
    'docs/troubleshooting.md',
    'docs/console.md',
    'packages/client/README.md',
  ],
  recognise: [
    'docs/decisions.md',
    'docs/liveness.md',
    'packages/capture/README.md',
    'docs/openid.md',
    'docs/expected.md',
    'docs/unknown.md',
    'docs/cameras.md',
    'docs/webhooks.md',
  ],
  run: [
    'docs/operations.md',
    'docs/operations/installing.md',
    'docs/operations/sizing.md',
    'docs/operations/storage.md',
    'docs/migrate.md',
    'docs/operations/models.md',
    'docs/monitoring.md',
    'docs/security.md',
    'docs/privacy.md',
    'docs/dpia.md',
  ],
  reference: [
    'docs/api.md',
    'docs/configuration.md',
    'docs/commands.md',
    'docs/compatibility.md',
    'docs/glossary.md',
    'docs/accuracy.md',
    'docs/comparison.md',
    'CHANGELOG.md',
    'SECURITY.md',
  ],
} as const;

export type Group = keyof typeof contents;
export const groups = Object.keys(contents) as Group[];

const named: Readonly<Record<string, string>> = {
  'docs/start.md': 'index.html',
  'packages/client/README.md': 'client.html',
  'packages/capture/README.md': 'capture.html',
  'CHANGELOG.md': 'changelog.html',
  'SECURITY.md': 'reporting.html',
};

/**
 * Every page in both languages. A document without a translation has an Indonesian page too, so that a reader keeps the
 * list of pages and the search.
 * @param root of the repository
 */
export function findPages(root: string): PageSource[] {
  const documents = groups.flatMap((group) => contents[group].map((source) => ({ source, group })));
  return documents.flatMap(({ source, group }): PageSource[] => {
    const target = named[source] ?? source.replace(/^docs\/(.*)\.md$/, '$1.html');
    const translation = source.replace(/^docs\//, 'docs/id/');
    const isTranslated = translation !== source && existsSync(join(root, translation));
    const indonesian = { target: `id/${target}`, language: 'id', group } as const;
    return [
      { source, target, language: 'en', written: 'en', group },
      isTranslated
        ? { ...indonesian, source: translation, written: 'id' }
        : { ...indonesian, source, written: 'en' },
    ];
  });
}

/** Texts around the documents in both languages; in `results`, `%` stands for the number. */
const pairs = {
  skip: ['Skip to the content', 'Langsung ke isi'],
  pages: ['Pages', 'Halaman'],
  headings: ['On this page', 'Di halaman ini'],
  search: ['Search', 'Cari'],
  noResult: ['Nothing was found.', 'Tidak ada yang ditemukan.'],
  results: ['% results', '% hasil'],
  otherLanguage: ['Bahasa Indonesia', 'English'],
  switchLanguage: ['Baca dalam bahasa Indonesia', 'Read in English'],
  untranslated: ['', 'Halaman ini belum diterjemahkan; isinya dalam bahasa Inggris.'],
  console: ['Console', 'Konsol'],
  apiReference: ['API reference', 'Referensi API'],
  theme: ['Appearance', 'Tampilan'],
  themes: ['System,Light,Dark', 'Sistem,Terang,Gelap'],
  notFound: ['This page does not exist', 'Halaman ini tidak ada'],
  notFoundText: [
    'Search above, or choose a page from the list.',
    'Cari di atas, atau pilih halaman dari daftar.',
  ],
  start: ['Start', 'Mulai'],
  recognise: ['Recognise', 'Mengenali'],
  run: ['Run it', 'Menjalankan'],
  reference: ['Reference', 'Referensi'],
} as const;

export type Texts = Readonly<Record<keyof typeof pairs, string>>;

export function textsOf(language: Language): Texts {
  const at = language === 'en' ? 0 : 1;
  return Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[at]])) as Texts;
}
