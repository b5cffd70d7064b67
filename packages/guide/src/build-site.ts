import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressResolver } from './addresses.ts';
import { htmlOf, type SitePage } from './layout.ts';
import { findPages } from './pages.ts';
import { renderMarkdown } from './render-markdown.ts';
import { searchScript } from './search-index.ts';

/** The relative paths are the same from src/ and dist/. */
const here = fileURLToPath(new URL('..', import.meta.url));

/** Every file of the site but its browser script: text by path; and copies: path on the site → path of the repository. */
export interface SiteFiles {
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

/** Writes the site into a folder, in place of what is there. */
export async function buildSite(root: string, folder: string): Promise<void> {
  const { texts, copies } = siteFiles(root);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [path, source] of copies) cpSync(join(root, source), join(folder, path));
  const { build } = await import('vite');
  await build({
    root: here,
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      outDir: join(folder, 'assets'),
      emptyOutDir: false,
      copyPublicDir: false,
      lib: {
        entry: join(here, 'src/browser/guide.ts'),
        formats: ['iife'],
        name: 'wajahGuide',
        fileName: () => 'guide.js',
      },
    },
  });
}
