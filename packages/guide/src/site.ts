import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import {
  contents,
  findPages,
  type Language,
  otherLanguageOf,
  type PageSource,
  searched,
  type Texts,
  targetOf,
  texts,
} from './pages.ts';
import { type RenderedPage, type ResolveAddress, renderMarkdown } from './render-markdown.ts';
import { type SearchEntry, searchOptions } from './search.ts';

/** Every file of the site but its browser script: text by path; and copies: path on the site → path of the repository. */
interface SiteFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly copies: ReadonlyMap<string, string>;
}

/** Makes the pages and search indexes from the documents. @param root of the repository */
export function siteFiles(root: string): SiteFiles {
  const sources = findPages(root);
  const copies = new Map([
    ['assets/icon.svg', 'packages/console/public/icon.svg'],
    ['assets/head.js', 'packages/guide/assets/head.js'],
  ]);
  const pages = sources.map((page): SitePage => {
    const text = readFileSync(join(root, page.source), 'utf8');
    const measure = (address: string) => pictureSize(join(root, posix.dirname(page.source), address));
    const rendered = renderMarkdown(text, addressResolver(root, page, sources, copies), measure);
    return { ...page, ...rendered, title: rendered.sections[0]?.title ?? page.target };
  });
  const style = ['packages/console/src/styles/tokens.css', 'packages/guide/assets/guide.css'];
  return {
    texts: new Map([
      ...pages.map((page) => [page.target, htmlOf(page, pages)] as const),
      ['404.html', notFoundPage('en', pages)],
      ['id/404.html', notFoundPage('id', pages)],
      ['assets/guide.css', style.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')],
      ['assets/search-en.js', searchScript('en', pages)],
      ['assets/search-id.js', searchScript('id', pages)],
    ]),
    copies,
  };
}

/** Width and height of a picture in pixels: an SVG with a `viewBox`, or a lossy WebP (RFC 9649, section 2.5). */
function pictureSize(path: string): readonly [number, number] | null {
  const bytes = readFileSync(path);
  if (path.endsWith('.svg')) {
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(bytes.toString()) ?? [];
    return width === undefined ? null : [Number(width), Number(height)];
  }
  const isLossy = bytes.toString('latin1', 8, 16) === 'WEBPVP8 ';
  return isLossy ? [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff] : null;
}

/** A page with what it shows. */
interface SitePage extends PageSource, RenderedPage {
  readonly title: string;
}

/** What is answered where there is no page: its links are absolute, because it has no address of its own. */
function notFoundPage(language: Language, pages: readonly SitePage[]): string {
  const words = texts[language];
  const folder = language === 'id' ? 'id/' : '';
  const html = `<h1>${words.notFound}</h1>\n<p>${words.notFoundText}</p>\n`;
  const written = { source: '', language, written: language, sections: [], title: words.notFound, html };
  return htmlOf({ ...written, target: `${folder}404.html` }, pages, (target) => `/docs/guide/${target}`);
}

/**
 * The whole HTML of a page. Nothing in it is inline.
 * @param at the address of a file of the site: relative, so that the site can be opened from a disk
 */
function htmlOf(
  page: SitePage,
  all: readonly SitePage[],
  at = (target: string) => relativeTo(page, target),
): string {
  const words = texts[page.language];
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${page.title === 'Wajah' ? 'Wajah' : `${escapeHtml(page.title)} – Wajah`}</title>
<link rel="icon" href="${at('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${at('assets/guide.css')}">
<script src="${at('assets/head.js')}"></script>
<script defer src="${at('assets/guide.js')}"></script>
</head>
<body data-root="${at('.') || '.'}" data-texts="${escapeHtml(JSON.stringify(scriptTexts(words)))}">
<a class="skip" href="#content">${words.skip}</a>
${headerOf(page, all, at)}
<div class="columns">
<nav class="pages" aria-label="${words.pages}">
<button type="button" aria-expanded="false" aria-controls="pages">${words.pages}</button>
<div id="pages">
${pageList(page, all, at)}
</div>
</nav>
<main id="content" tabindex="-1">
${page.language === page.written ? '' : `<p class="untranslated">${words.untranslated}</p>\n`}<article lang="${page.written}">
${page.html}</article>
</main>
${headingList(page, words)}
</div>
</body>
</html>
`;
}

/** The texts that the script shows. */
function scriptTexts({ copy, copied, results, noResult, theme, themes }: Texts) {
  return { copy, copied, results, noResult, theme, themes };
}

/** Name, search, and links. The script hides those to the pages of a server where none serves the page. */
function headerOf(page: SitePage, all: readonly SitePage[], at: (target: string) => string): string {
  const words = texts[page.language];
  const home = page.language === 'id' ? 'id/index.html' : 'index.html';
  const other = page.language === 'en' ? 'id' : 'en';
  const translated =
    page.source === ''
      ? other === 'id'
        ? 'id/index.html'
        : 'index.html'
      : otherLanguageOf(page, all).target;
  return `<header>
<a class="brand" href="${at(home)}"><img src="${at('assets/icon.svg')}" alt="" width="28" height="28">Wajah</a>
<search><input type="search" aria-label="${words.search}" placeholder="${words.search}" aria-controls="results" autocomplete="off" spellcheck="false">
<div id="results" hidden><p role="status"></p><ol></ol></div></search>
<div class="links">
<a class="server" href="/console">${words.console}</a>
<a class="server" href="/docs">${words.reference}</a>
<a class="language" href="${at(translated)}" hreflang="${other}" lang="${other}" title="${words.switchLanguage}">${words.otherLanguage}</a>
<button type="button" class="theme">${words.theme}: ${words.themes[0]}</button>
</div>
</header>`;
}

function pageList(page: SitePage, all: readonly SitePage[], at: (target: string) => string): string {
  const words = texts[page.language];
  return Object.entries(contents)
    .map(([group, sources]) => {
      const items = sources.map((source) => {
        const english = all.find((one) => one.source === source)!;
        const shown = page.language === 'en' ? english : otherLanguageOf(english, all);
        return pageLink(page, all.find(({ target }) => target === shown.target)!, at);
      });
      return `<h2>${words.groups[group as keyof Texts['groups']]}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

function pageLink(page: SitePage, shown: SitePage, at: (target: string) => string): string {
  const title = shown.target.endsWith('about.html') ? texts[page.language].about : shown.title;
  const current = shown.target === page.target ? ' aria-current="page"' : '';
  const foreign = shown.written === page.language ? '' : ` lang="${shown.written}"`;
  return `<li><a href="${at(shown.target)}"${current}${foreign}>${escapeHtml(title)}</a></li>`;
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
    const found = pages.filter((other) => other.source === source);
    const target = (found.find(({ language }) => language === page.language) ?? found[0])?.target;
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

/** Characters of a section from which an excerpt is cut. */
const mostText = 1500;

/**
 * The search index of a language as a script, which a page that was opened from a disk can load too. Of pages outside of
 * the searched groups only the title is found, and decision records are not.
 */
function searchScript(language: Language, pages: readonly SitePage[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  const entries = pages.flatMap((page) => {
    const group = groups.get(page.target.replace(/^id\//, ''));
    if (page.language !== language || group === undefined) return [];
    const isSearched = searched.includes(group);
    return page.sections.slice(0, isSearched ? undefined : 1).map(({ id, title, text, keywords }, at) => ({
      title,
      text: isSearched ? text.replace(/\s+/g, ' ').trim().slice(0, mostText) : '',
      keywords,
      page: at === 0 ? '' : page.title,
      address: at === 0 ? page.target : `${page.target}#${id}`,
      weight: isSearched && group !== 'reference' ? 1 : 0.6,
    }));
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return `globalThis.wajahGuideIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}

/** Heading in the list of pages, by the address of the English page. */
const groups = new Map(
  Object.entries(contents).flatMap(([group, sources]) =>
    sources.map((source) => [targetOf(source), group as keyof typeof contents]),
  ),
);
