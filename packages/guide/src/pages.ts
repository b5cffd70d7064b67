import { readdirSync } from 'node:fs';
import { join } from 'node:path';

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
}

/** The list of pages: documents under their headings, in this order. */
export const contents: Readonly<Record<Group, readonly string[]>> = {
  start: [
    'docs/start.md',
    'docs/guide.md',
    'docs/console.md',
    'packages/client/README.md',
    'docs/programs.md',
  ],
  recognise: ['docs/decisions.md', 'docs/quality.md'],
  liveness: ['docs/liveness.md', 'packages/capture/README.md'],
  run: [
    'docs/operations.md',
    'docs/operations/installing.md',
    'docs/operations/sizing.md',
    'docs/scaling.md',
    'docs/reliability.md',
    'docs/operations/storage.md',
    'docs/operations/backup.md',
    'docs/operations/upgrading.md',
    'docs/operations/import.md',
    'docs/migrate-from-riset.md',
    'docs/migrate-from-compreface.md',
    'docs/operations/audit.md',
    'docs/operations/models.md',
    'docs/monitoring.md',
    'docs/webhooks.md',
    'docs/security.md',
    'docs/privacy.md',
    'docs/dpia.md',
  ],
  reference: [
    'docs/api.md',
    'docs/api/faces.md',
    'docs/api/galleries.md',
    'docs/api/liveness.md',
    'docs/api/people.md',
    'docs/api/tokens.md',
    'docs/api/clients.md',
    'docs/api/server.md',
    'docs/errors.md',
    'docs/compatibility.md',
    'docs/configuration.md',
    'docs/commands.md',
    'docs/glossary.md',
  ],
  evidence: [
    'docs/accuracy.md',
    'docs/measuring-liveness.md',
    'docs/performance.md',
    'evaluation/README.md',
    'docs/adr/README.md',
  ],
  project: [
    'README.md',
    'docs/architecture.md',
    'CONTRIBUTING.md',
    'docs/debugging.md',
    'docs/dependencies.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    'CHANGELOG.md',
  ],
};

/** The groups whose text is searched; of pages of other groups only the title is found, and decision records are not. */
export const searched: readonly Group[] = ['start', 'recognise', 'liveness', 'run', 'reference'];

/** Documents whose page is not named after them, below their language. */
const ownTargets: Readonly<Record<string, string>> = {
  'README.md': 'about.html',
  'docs/start.md': 'index.html',
  'SECURITY.md': 'security-policy.html',
  'CONTRIBUTING.md': 'contributing.html',
  'CODE_OF_CONDUCT.md': 'code-of-conduct.html',
  'CHANGELOG.md': 'changelog.html',
  'packages/client/README.md': 'client.html',
  'packages/capture/README.md': 'capture.html',
  'evaluation/README.md': 'evaluation.html',
};

/**
 * Every page of the site: a document of docs/, or another one of `ownTargets`, in each language. An English document
 * without a translation has an Indonesian page too, so that a reader keeps the list of pages and the search.
 * @param root of the repository
 */
export function findPages(root: string): PageSource[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .sort();
  const documents = [...new Set([...Object.keys(ownTargets), ...below])];
  const english = documents.filter((source) => !source.startsWith('docs/id/'));
  return english.flatMap((source): PageSource[] => {
    const target = targetOf(source);
    const translated = `docs/id/${source === 'README.md' ? source : source.replace(/^docs\//, '')}`;
    const inOther: PageSource = { source, target: `id/${target}`, language: 'id', written: 'en' };
    const hasOther = below.includes(translated) && /^(docs\/[^/]+|README\.md)$/.test(source);
    return [
      { source, target, language: 'en', written: 'en' },
      hasOther ? { ...inOther, source: translated, written: 'id' } : inOther,
    ];
  });
}

/** Path of the English page of a document. */
export function targetOf(source: string): string {
  const path = source.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
  return ownTargets[source] ?? path.replace(/\.md$/, '.html');
}

/** The page of the same document in the other language. */
export function otherLanguageOf({ target, language }: PageSource, all: readonly PageSource[]): PageSource {
  const other = language === 'en' ? `id/${target}` : target.replace(/^id\//, '');
  return all.find((page) => page.target === other)!;
}

/** Languages of the site. */
export type Language = 'en' | 'id';

/** Texts around the documents; in `results`, `%` stands for the number. */
const english = {
  skip: 'Skip to the content',
  pages: 'Pages',
  headings: 'On this page',
  about: 'About Wajah',
  search: 'Search',
  noResult: 'Nothing was found.',
  results: '% results',
  copy: 'Copy',
  copied: 'Copied',
  otherLanguage: 'Bahasa Indonesia',
  switchLanguage: 'Baca dalam bahasa Indonesia',
  untranslated: '',
  console: 'Console',
  reference: 'API reference',
  theme: 'Appearance',
  themes: ['System', 'Light', 'Dark'],
  notFound: 'This page does not exist',
  notFoundText: 'Search above, or choose a page from the list.',
  groups: {
    start: 'Start',
    recognise: 'Recognise',
    liveness: 'Liveness',
    run: 'Run it',
    reference: 'Reference',
    evidence: 'Evidence',
    project: 'Project',
  },
};

/** Headings of the list of pages. */
type Group = keyof typeof english.groups;
export type Texts = typeof english;

export const texts: Readonly<Record<Language, Texts>> = {
  en: english,
  id: {
    skip: 'Langsung ke isi',
    pages: 'Halaman',
    headings: 'Di halaman ini',
    about: 'Tentang Wajah',
    search: 'Cari',
    noResult: 'Tidak ada yang ditemukan.',
    results: '% hasil',
    copy: 'Salin',
    copied: 'Tersalin',
    otherLanguage: 'English',
    switchLanguage: 'Read in English',
    untranslated: 'Halaman ini belum diterjemahkan; isinya dalam bahasa Inggris.',
    console: 'Konsol',
    reference: 'Referensi API',
    theme: 'Tampilan',
    themes: ['Sistem', 'Terang', 'Gelap'],
    notFound: 'Halaman ini tidak ada',
    notFoundText: 'Cari di atas, atau pilih halaman dari daftar.',
    groups: {
      start: 'Mulai',
      recognise: 'Mengenali',
      liveness: 'Deteksi keaktifan',
      run: 'Menjalankan',
      reference: 'Referensi',
      evidence: 'Bukti',
      project: 'Proyek',
    },
  },
};
