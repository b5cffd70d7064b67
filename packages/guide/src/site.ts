import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import { findPages, groups, type Language, type PageSource, type Texts, textsOf } from './pages.ts';
import { referencePages } from './reference.ts';
import { escapeHtml, type RenderedPage, type ResolveAddress, renderMarkdown } from './render-markdown.ts';
import { type SearchEntry, searchOptions } from './search.ts';

/** Every file of the site but its browser script: text by path; and copies: path on the site → path of the repository. */
interface SiteFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly copies: ReadonlyMap<string, string>;
}

/** A page with what it shows. */
interface SitePage extends PageSource, RenderedPage {
  readonly title: string;
}

/** Makes the pages and search indexes from the documents. @param root of the repository */
export function siteFiles(root: string): SiteFiles {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const reference = referencePages();
  const sources = findPages(root);
  const copies = new Map([
    ['assets/icon.svg', 'packages/console/public/icon.svg'],
    ['assets/head.js', 'packages/guide/assets/head.js'],
  ]);
  const pages = sources.map((page): SitePage => {
    const written = existsSync(join(root, page.source)) ? read(page.source) : '';
    const text = `${written}\n${reference.get(page.source) ?? ''}`;
    const rendered = renderMarkdown(text, addressResolver(root, page, sources, copies));
    return { ...page, ...rendered, title: rendered.sections[0]?.title ?? page.target };
  });
  const style = ['packages/console/src/styles/tokens.css', 'packages/guide/assets/guide.css'];
  return {
    texts: new Map([
      ...pages.map((page) => [page.target, htmlOf(page, pages)] as const),
      ['404.html', notFoundPage('en', pages)],
      ['id/404.html', notFoundPage('id', pages)],
      ['assets/guide.css', style.map(read).join('\n')],
      ['assets/search-en.js', searchScript('en', pages)],
      ['assets/search-id.js', searchScript('id', pages)],
    ]),
    copies,
  };
}

/** What is answered where there is no page: its links begin with `./`, which the server replaces by the way to its root. */
function notFoundPage(language: Language, pages: readonly SitePage[]): string {
  const { notFound: title, notFoundText } = textsOf(language);
  const html = `<h1>${title}</h1>\n<p>${notFoundText}</p>\n`;
  const page = {
    source: '',
    target: inLanguage('index.html', language),
    language,
    written: language,
    title,
    group: null,
  };
  return htmlOf({ ...page, sections: [], html }, pages, (target) => `./docs/guide/${target}`);
}

/** The address of an English page in a language. */
function inLanguage(target: string, language: Language): string {
  return language === 'en' ? target : `id/${target}`;
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
  const words = textsOf(page.language);
  const hint = page.language === page.written ? '' : `<p class="untranslated">${words.untranslated}</p>\n`;
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} – Wajah</title>
<link rel="icon" href="${at('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${at('assets/guide.css')}">
<script src="${at('assets/head.js')}"></script>
<script defer src="${at('assets/guide.js')}"></script>
</head>
<body data-root="${at('.') || '.'}" data-texts="${escapeHtml(JSON.stringify(words))}">
<a class="skip" href="#content">${words.skip}</a>
${headerOf(page, words, at)}
<div class="columns">
<nav class="pages" aria-label="${words.pages}">
<button type="button" aria-expanded="false" aria-controls="pages">${words.pages}</button>
<div id="pages">
${pageList(page, all, words, at)}
</div>
</nav>
<main id="content" tabindex="-1">
${hint}<article lang="${page.written}">
${page.html}</article>
</main>
${headingList(page, words)}
</div>
</body>
</html>
`;
}

/** Name, search, and links. The script hides those to the pages of a server where none serves the page. */
function headerOf({ target, language }: SitePage, words: Texts, at: (target: string) => string): string {
  const other = language === 'en' ? 'id' : 'en';
  return `<header>
<a class="brand" href="${at(inLanguage('index.html', language))}"><img src="${at('assets/icon.svg')}" alt="" width="28" height="28">Wajah</a>
<search><input type="search" aria-label="${words.search}" placeholder="${words.search}" aria-controls="results" autocomplete="off" spellcheck="false">
<div id="results" hidden><p role="status"></p><ol></ol></div></search>
<div class="links">
<a class="server" href="${at('.') || '.'}/../../console">${words.console}</a>
<a class="server" href="${at('.') || '.'}/../../docs">${words.apiReference}</a>
<a class="language" href="${at(inLanguage(target.replace(/^id\//, ''), other))}" hreflang="${other}" lang="${other}" title="${words.switchLanguage}">${words.otherLanguage}</a>
<button type="button" class="theme">${words.theme}: ${words.themes.split(',')[0]}</button>
</div>
</header>`;
}

function pageList(
  page: SitePage,
  all: readonly SitePage[],
  words: Texts,
  at: (target: string) => string,
): string {
  const shown = all.filter(({ language }) => language === page.language);
  return groups
    .map((group) => {
      const own = shown.filter((one) => one.group === group);
      const items = own.map(({ target, title, written }) => {
        const current = page.source !== '' && target === page.target ? ' aria-current="page"' : '';
        const foreign = written === page.language ? '' : ` lang="${written}"`;
        return `<li><a href="${at(target)}"${current}${foreign}>${escapeHtml(title)}</a></li>`;
      });
      return `<h2>${words[group]}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

function headingList({ sections }: SitePage, words: Texts): string {
  const headings = sections.filter(({ level }) => level === 2);
  if (headings.length < 2) return '';
  const items = headings.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<nav class="headings" aria-label="${words.headings}"><h2>${words.headings}</h2>\n<ul>\n${items.join('\n')}\n</ul></nav>`;
}

/** Pictures and programs that a page may show or link to; other files of the repository are named only. */
const copied = /\.(webp|svg|png|jpe?g)$|^docs\/programs\//;

/**
 * Resolves the addresses of a document: links between documents lead to their pages, pictures are copied, links to other
 * files become plain names.
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

/** The address of another file of the site, relative to a page. */
function relativeTo({ target }: PageSource, other: string): string {
  return posix.relative(posix.dirname(target), other) || posix.basename(other);
}

/** Characters of a section from which an excerpt is cut. */
const mostText = 1500;

/** The search index of a language as a script, which a page that was opened from a disk can load too. */
function searchScript(language: Language, pages: readonly SitePage[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  const entries = pages
    .filter((page) => page.language === language)
    .flatMap((page) =>
      page.sections.map(({ id, title, text, keywords }, at) => ({
        title,
        text: text.replace(/\s+/g, ' ').trim().slice(0, mostText),
        keywords,
        page: at === 0 ? '' : page.title,
        address: at === 0 ? page.target : `${page.target}#${id}`,
        weight: page.group === 'reference' ? 0.6 : 1,
      })),
    );
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return `globalThis.wajahGuideIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}
