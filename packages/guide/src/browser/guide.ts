import MiniSearch, { type SearchResult } from 'minisearch';
import { type SearchEntry, searchOptions } from '../search-options.ts';

/** Most results that are shown. */
const mostResults = 20;

const { root = '.', copy = '', copied = '', results = '', noResult = '' } = document.body.dataset;

startSearch();
addCopyButtons();
if (matchMedia('(max-width: 60rem)').matches)
  document.querySelector('.pages details')?.removeAttribute('open');

function startSearch(): void {
  const box = document.querySelector('search')!;
  const input = box.querySelector('input')!;
  const panel = document.querySelector<HTMLElement>('#results')!;
  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  box.hidden = false;
  const show = async () => {
    index ??= loadIndex();
    const query = input.value.trim();
    const found = query === '' ? [] : distinct((await index).search(query)).slice(0, mostResults);
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

/** Tables of one page share their headings. */
function distinct(found: readonly SearchResult[]): SearchEntry[] {
  const byName = new Map<string, SearchEntry>();
  for (const one of found as unknown as SearchEntry[]) {
    const name = `${one.page} ${one.title}`;
    if (!byName.has(name)) byName.set(name, one);
  }
  return [...byName.values()];
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

function resultItem({ title, page, address }: SearchEntry): HTMLLIElement {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = `${root}/${address}`;
  link.textContent = title;
  if (page) link.appendChild(document.createElement('span')).textContent = page;
  return item;
}

function addCopyButtons(): void {
  // Only where the page may write to the clipboard: over HTTPS, or on this machine.
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLPreElement>('pre[data-language]')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '');
      button.textContent = copied;
    });
    frame.append(block, button);
  }
}
