import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { contents, findPages } from '../../packages/guide/src/pages.ts';
import { siteFiles } from '../../packages/guide/src/site.ts';
import { root } from '../support/sources.ts';

const { texts, copies } = siteFiles(root);
const pages = [...texts].filter(([path]) => path.endsWith('.html'));
const exists = (path: string) => texts.has(path) || copies.has(path) || path === 'assets/guide.js';

function addressesOf(html: string): string[] {
  return [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);
}

it('every document has a page, and its place in the list of pages', () => {
  const listed = new Set(Object.values(contents).flat());
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect(documents.filter((name) => !listed.has(`docs/${name}`))).toEqual([]);
  const sources = new Set(findPages(root).map(({ source }) => source));
  expect([...listed].filter((source) => !sources.has(source))).toEqual([]);
  expect(pages.length).toBeGreaterThan(60);
});

it('links lead to files of the site and to anchors that exist', () => {
  const broken = pages.flatMap(([path, html]) =>
    addressesOf(html)
      .filter((address) => !/^(https?|mailto):/.test(address))
      .filter((address) => {
        const [file = '', anchor] = address.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        return !exists(target) || (anchor !== undefined && !texts.get(target)?.includes(` id="${anchor}"`));
      })
      .map((address) => `${path}: ${address}`),
  );
  expect(broken).toEqual([]);
});

it('pages load nothing from elsewhere and have nothing inline', () => {
  for (const [path, html] of pages) {
    const loaded = [...html.matchAll(/<(?:script|link|img)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    expect([path, loaded.filter(([, address = '']) => /^([a-z]+:|\/)/.test(address))]).toEqual([path, []]);
    expect([path, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/.exec(html)?.[0]]).toEqual([
      path,
      undefined,
    ]);
    expect([path, html.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
  }
});
