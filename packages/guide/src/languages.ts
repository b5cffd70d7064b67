/** Languages of the site. English pages are complete; Indonesian ones are those of docs/id. */
export type Language = 'en' | 'id';

/** Texts around the documents. */
export interface Texts {
  readonly skip: string;
  readonly pages: string;
  readonly headings: string;
  readonly overview: string;
  readonly search: string;
  readonly noResult: string;
  /** `%` stands for the number. */
  readonly results: string;
  readonly copy: string;
  readonly copied: string;
  /** Name of the other language in that language, and what its link says. */
  readonly otherLanguage: string;
  readonly switchLanguage: string;
  /** Follows the title of a page that is not translated. */
  readonly untranslated: string;
  readonly groups: Readonly<Record<Group, string>>;
}

/** Headings of the list of pages. */
export type Group = 'start' | 'recognise' | 'liveness' | 'run' | 'reference' | 'evidence' | 'project';

export const texts: Readonly<Record<Language, Texts>> = {
  en: {
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
  },
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
