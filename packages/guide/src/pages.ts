import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A document and the page that is made from it. */
export interface PageSource {
  /** Path of the Markdown file from the root of the repository. */
  readonly source: string;
  /** Path of the page from the root of the site. */
  readonly target: string;
  readonly language: Language;
}

/** The list of pages: documents under their headings, in this order. */
export const contents: Readonly<Record<Group, readonly string[]>> = {
  start: [
    'README.md',
    'docs/guide.md',
    'docs/console.md',
    'packages/client/README.md',
    'docs/programs.md',
    'docs/migrate-from-riset.md',
    'docs/migrate-from-compreface.md',
  ],
  recognise: ['docs/decisions.md', 'docs/quality.md'],
  liveness: [
    'docs/liveness.md',
    'packages/capture/README.md',
    'docs/measuring-liveness.md',
    'docs/light-challenge.md',
  ],
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
    'docs/api/tokens.md',
    'docs/api/galleries.md',
    'docs/api/faces.md',
    'docs/api/liveness.md',
    'docs/api/people.md',
    'docs/api/clients.md',
    'docs/api/server.md',
    'docs/errors.md',
    'docs/compatibility.md',
    'docs/configuration.md',
    'docs/commands.md',
    'docs/glossary.md',
  ],
  evidence: ['docs/accuracy.md', 'docs/performance.md', 'evaluation/README.md', 'docs/adr/README.md'],
  project: [
    'docs/architecture.md',
    'CONTRIBUTING.md',
    'docs/debugging.md',
    'docs/dependencies.md',
    'docs/size.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    'CHANGELOG.md',
  ],
};

const outsideOfDocs: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'SECURITY.md': 'security-policy.html',
  'CONTRIBUTING.md': 'contributing.html',
  'CODE_OF_CONDUCT.md': 'code-of-conduct.html',
  'CHANGELOG.md': 'changelog.html',
  'packages/client/README.md': 'client.html',
  'packages/capture/README.md': 'capture.html',
  'evaluation/README.md': 'evaluation.html',
};

/** Every document of the site: those of docs/, and the others of `outsideOfDocs`. @param root of the repository */
export function findPages(root: string): PageSource[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
    .sort();
  const documents = below.map((path): PageSource => {
    const target = path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
    return { source: `docs/${path}`, target, language: path.startsWith('id/') ? 'id' : 'en' };
  });
  const others = Object.entries(outsideOfDocs).map(
    ([source, target]): PageSource => ({ source, target, language: 'en' }),
  );
  return [...others, ...documents];
}

/** The document in the other language, where there is one; README.md corresponds to docs/id/README.md. */
export function translationOf(page: PageSource, all: readonly PageSource[]): PageSource | undefined {
  const name = posix.basename(page.source);
  const source = page.language === 'en' ? `docs/id/${name}` : name === 'README.md' ? name : `docs/${name}`;
  const isPair = page.language === 'id' || page.source === (name === 'README.md' ? name : `docs/${name}`);
  return isPair ? all.find((other) => other.source === source) : undefined;
}

/** Languages of the site. English pages are complete; Indonesian ones are those of docs/id. */
export type Language = 'en' | 'id';

/** Texts around the documents; in `results`, `%` stands for the number. */
const english = {
  skip: 'Skip to the content',
  pages: 'Pages',
  headings: 'On this page',
  overview: 'Overview',
  search: 'Search',
  noResult: 'Nothing was found.',
  results: '% results',
  copy: 'Copy',
  copied: 'Copied',
  otherLanguage: 'Bahasa Indonesia',
  switchLanguage: 'Baca dalam bahasa Indonesia',
  untranslated: '',
  groups: {
    start: 'Getting started',
    recognise: 'Recognition',
    liveness: 'Liveness',
    run: 'Operation',
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
    overview: 'Ikhtisar',
    search: 'Cari',
    noResult: 'Tidak ada yang ditemukan.',
    results: '% hasil',
    copy: 'Salin',
    copied: 'Tersalin',
    otherLanguage: 'English',
    switchLanguage: 'Read in English',
    untranslated: '(Inggris)',
    groups: {
      start: 'Memulai',
      recognise: 'Pengenalan',
      liveness: 'Deteksi keaktifan',
      run: 'Operasi',
      reference: 'Referensi',
      evidence: 'Bukti',
      project: 'Proyek',
    },
  },
};
