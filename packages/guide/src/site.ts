import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import {
  contents,
  findPages,
  type Language,
  type PageSource,
  type Texts,
  texts,
  translationOf,
} from './pages.ts';
import { type RenderedPage, type ResolveAddress, renderMarkdown } from './render-markdown.ts';
import { type SearchEntry, searchOptions } from './search-options.ts';

/** Every file of the site but its browser script: text by path; and copies: path on the site → path of the repository. */
interface SiteFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly copies: ReadonlyMap<string, string>;
}

/** Makes the pages and search indexes from the documents. @param root of the repository */
export function siteFiles(root: string): SiteFiles {
  const sources = findPages(root);
  const copies = new Map([['assets/icon.svg', 'packages/console/public/icon.svg']]);
  const pages = sources.map((page): SitePage => {
    const text = readFileSync(join(root, page.source), 'utf8');
    const rendered = renderMarkdown(text, addressResolver(root, page, sources, copies));
    return { ...page, ...rendered, title: rendered.sections[0]?.title ?? page.target };
  });
  const style = ['packages/console/src/styles/tokens.css', 'packages/guide/assets/guide.css'];
  return {
    texts: new Map([
      ...pages.map((page) => [page.target, htmlOf(page, pages)] as const),
      ['assets/guide.css', style.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')],
      ['assets/search-en.js', searchScript('en', pages)],
      ['assets/search-id.js', searchScript('id', pages)],
    ]),
    copies,
  };
}

/** A page with what it shows. */
interface SitePage extends PageSource, RenderedPage {
  readonly title: string;
}

/** The whole HTML of a page. Nothing in it is inline, and every address is relative. */
function htmlOf(page: SitePage, all: readonly SitePage[]): string {
  const words = texts[page.language];
  const at = (target: string) => relativeTo(page, target);
  const home = page.language === 'id' ? 'id/index.html' : 'index.html';
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${page.title === 'Wajah' ? 'Wajah' : `${escapeHtml(page.title)} – Wajah`}</title>
<link rel="icon" href="${at('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${at('assets/guide.css')}">
<script defer src="${at('assets/guide.js')}"></script>
</head>
<body data-root="${at('.') || '.'}" data-copy="${words.copy}" data-copied="${words.copied}" data-results="${words.results}" data-no-result="${words.noResult}">
<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="brand" href="${at(home)}">Wajah</a>
<search hidden><input type="search" aria-label="${words.search}" placeholder="${words.search}" aria-controls="results" autocomplete="off" spellcheck="false">
<div id="results" hidden><p role="status"></p><ol></ol></div></search>
${languageLink(page, all, words)}
</header>
<div class="columns">
<nav class="pages" aria-label="${words.pages}">
<details open><summary>${words.pages}</summary>
${pageList(page, all, words)}
</details>
</nav>
<main id="content" tabindex="-1">
<article>
${page.html}</article>
</main>
${headingList(page, words)}
</div>
</body>
</html>
`;
}

function languageLink(page: SitePage, all: readonly SitePage[], words: Texts): string {
  const other = page.language === 'en' ? 'id' : 'en';
  const fallback = all.find(({ target }) => target === (other === 'id' ? 'id/index.html' : 'index.html'));
  const translated = translationOf(page, all) ?? fallback;
  if (!translated) return '';
  const address = relativeTo(page, translated.target);
  return `<a class="language" href="${address}" hreflang="${other}" lang="${other}" title="${words.switchLanguage}">${words.otherLanguage}</a>`;
}

function pageList(page: SitePage, all: readonly SitePage[], words: Texts): string {
  return Object.entries(contents)
    .map(([group, sources]) => {
      const items = sources.flatMap((source) => {
        const found = all.find((one) => one.source === source);
        return found ? [pageLink(page, found, all, words)] : [];
      });
      return `<h2>${words.groups[group as keyof Texts['groups']]}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

/** A link to a page of the list in the language of this page, else to the English one. */
function pageLink(page: SitePage, english: SitePage, all: readonly SitePage[], words: Texts): string {
  const translated = page.language === 'id' ? translationOf(english, all) : undefined;
  const shown = all.find(({ source }) => source === translated?.source) ?? english;
  const title = english.source === 'README.md' ? words.overview : shown.title;
  const isForeign = shown.language !== page.language;
  const mark = isForeign ? ` <span class="untranslated">${words.untranslated}</span>` : '';
  const current = shown.target === page.target ? ' aria-current="page"' : '';
  const foreign = isForeign ? ` hreflang="${shown.language}"` : '';
  return `<li><a href="${relativeTo(page, shown.target)}"${current}${foreign}>${escapeHtml(title)}</a>${mark}</li>`;
}

function headingList({ sections }: SitePage, words: Texts): string {
  const headings = sections.filter(({ level }) => level === 2);
  if (headings.length < 2) return '';
  const items = headings.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<nav class="headings" aria-label="${words.headings}"><h2>${words.headings}</h2>\n<ul>\n${items.join('\n')}\n</ul></nav>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Pictures, data and programs that a page may show or link to; other source files are named only. */
const copied = /\.(svg|webp|png|jpe?g|json)$|^docs\/programs\//;

/**
 * Resolves the addresses of a document: links between documents lead to their pages, pictures are copied, links to
 * source files become plain names.
 * @param files receives the copied files: path on the site → path from the root of the repository
 * @throws Error when a link or picture of the repository does not exist
 */
function addressResolver(
  root: string,
  page: PageSource,
  pages: readonly PageSource[],
  files: Map<string, string>,
): ResolveAddress {
  return (address) => {
    if (/^[a-z]+:/.test(address) || address.startsWith('#')) return address;
    const [path = '', anchor] = address.split('#');
    const source = posix.join(posix.dirname(page.source), path);
    const target = pages.find((other) => other.source === source)?.target;
    if (target) return `${relativeTo(page, target)}${anchor === undefined ? '' : `#${anchor}`}`;
    if (!existsSync(join(root, source))) throw new Error(`${page.source} links to ${address}: not found`);
    if (!copied.test(source)) return null;
    const copy = posix.join('files', source.replace(/^docs\//, ''));
    files.set(copy, source);
    return relativeTo(page, copy);
  };
}

/** The address of another file of the site, relative to a page: the site can be opened from a disk. */
function relativeTo({ target }: PageSource, other: string): string {
  return posix.relative(posix.dirname(target), other) || posix.basename(other);
}

/**
 * The search index of a language as a script, which a page that was opened from a disk can load too. The Indonesian one
 * has the English pages that are not translated.
 */
function searchScript(language: Language, pages: readonly SitePage[]): string {
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
