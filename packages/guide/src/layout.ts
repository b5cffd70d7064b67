import { relativeTo } from './addresses.ts';
import { type Group, type Texts, texts } from './languages.ts';
import { contents, type PageSource, translationOf } from './pages.ts';
import type { RenderedPage } from './render-markdown.ts';

/** A page with what it shows. */
export interface SitePage extends PageSource, RenderedPage {
  readonly title: string;
}

/** The whole HTML of a page. Nothing in it is inline, and every address is relative. */
export function htmlOf(page: SitePage, all: readonly SitePage[]): string {
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
      return `<h2>${words.groups[group as Group]}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
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
