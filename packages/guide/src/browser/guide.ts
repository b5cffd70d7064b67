import MiniSearch from 'minisearch';
import type { Texts } from '../pages.ts';
import { type FoundSection, findSections, type SearchEntry, searchOptions } from '../search.ts';

/** Most results that are shown. */
const mostResults = 12;

const { root = '.', texts = '{}' } = document.body.dataset;
const { results, noResult, theme, themes } = JSON.parse(texts) as Texts;

startSearch();
startPreferences();
const pages = document.querySelector('.pages button')!;
pages.addEventListener('click', () => {
  pages.setAttribute('aria-expanded', String(pages.getAttribute('aria-expanded') === 'false'));
});

function startSearch(): void {
  const box = document.querySelector('search')!;
  const input = box.querySelector('input')!;
  const panel = document.querySelector<HTMLElement>('#results')!;
  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  const show = async () => {
    index ??= loadIndex();
    const query = input.value.trim();
    const found = query === '' ? [] : findSections(await index, query).slice(0, mostResults);
    // Another key was pressed meanwhile.
    if (query !== input.value.trim()) return;
    panel.hidden = query === '';
    panel.querySelector('p')!.textContent = found.length
      ? results.replace('%', String(found.length))
      : noResult;
    panel.querySelector('ol')!.replaceChildren(...found.map(resultItem));
  };
  input.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !panel.hidden) {
      input.value = '';
      panel.hidden = true;
      input.focus();
    }
    if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      input.focus();
    }
  });
  // A result on this page only moves to its heading.
  panel.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) panel.hidden = true;
  });
}

/** Loads the index as a script: a page that was opened from a disk may not fetch. */
function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const script = document.createElement('script');
  script.src = `${root}/assets/search-${document.documentElement.lang}.js`;
  document.head.append(script);
  return new Promise((resolve, reject) => {
    script.onload = () => {
      const { wajahGuideIndex } = globalThis as unknown as { wajahGuideIndex: string };
      resolve(MiniSearch.loadJSON(wajahGuideIndex, searchOptions));
    };
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
  });
}

function resultItem({ title, page, address, text, terms }: FoundSection): HTMLLIElement {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = `${root}/${address}`;
  link.textContent = title;
  if (page) link.appendChild(document.createElement('span')).textContent = page;
  if (text) link.appendChild(document.createElement('p')).append(...excerptOf(text, terms));
  return item;
}

/** Characters of an excerpt before the first word that was found, and of all of it. */
const lead = 40;
const length = 160;

/** The part of a text around the words that were found, which are marked. */
function excerptOf(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const first = words ? text.search(new RegExp(`\\b(${words})\\b`, 'i')) : -1;
  const from = first > lead ? text.indexOf(' ', first - lead) + 1 : 0;
  const rest = text.slice(from);
  const shown = rest.length > length ? `${rest.slice(0, rest.lastIndexOf(' ', length))} …` : rest;
  const cut = from > 0 ? `… ${shown}` : shown;
  if (!words) return [cut];
  return cut.split(new RegExp(`\\b(${words})\\b`, 'i')).map((part, at) => {
    if (at % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/** Keys under which the console of the same server keeps them. */
const themeKey = 'wajah.theme';
const languageKey = 'wajah.language';

/** The theme, and links to the pages of the server, which are there where it serves this one. */
function startPreferences(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme')!;
  const names = ['system', 'light', 'dark'];
  const { dataset, lang } = document.documentElement;
  const show = () => {
    button.textContent = `${theme}: ${themes.split(',')[names.indexOf(dataset['theme'] ?? 'system')]}`;
  };
  button.addEventListener('click', () => {
    const next = names[(names.indexOf(dataset['theme'] ?? 'system') + 1) % names.length]!;
    if (next === 'system') delete dataset['theme'];
    else dataset['theme'] = next;
    store(themeKey, next);
    show();
  });
  show();
  const isServed = location.protocol !== 'file:' && location.pathname.includes('/docs/guide/');
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.server')) {
    link.hidden = !isServed;
    link.addEventListener('click', () => store(languageKey, lang));
  }
  document.querySelector<HTMLAnchorElement>('a.language')!.addEventListener('click', (event) => {
    store(languageKey, (event.currentTarget as HTMLAnchorElement).hreflang);
  });
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Browsers may forbid storage.
  }
}
