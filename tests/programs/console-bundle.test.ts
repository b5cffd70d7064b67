import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { root } from '../support/sources.ts';

const built = join(root, 'packages/console/dist');

/** kB of scripts and styles, compressed: with the element for sessions, and what the page of an enrolment link says. */
const most = 80;
/** The same at first: for signing in, also back to the screen of a door, and the page that follows it. */
const mostAtFirst = 54;
/** The file of a language, which is loaded with the first page in it. */
const mostOfLanguage = 24;

const kB = (name: string) => gzipSync(readFileSync(join(built, 'assets', name))).length / 1000;

/** The files that scripts import, and those import, themselves included. */
function withImports(names: readonly string[]): Set<string> {
  const all = new Set(names);
  for (const name of all) {
    const script = name.endsWith('.js') ? readFileSync(join(built, 'assets', name), 'utf8') : '';
    for (const [, path = ''] of script.matchAll(/(?:from|import)\s?["`]\.\/([\w.-]+)["`]/g)) all.add(path);
  }
  return all;
}

const sumOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + kB(name), 0);

it(`the console loads at most ${mostAtFirst} kB of scripts and styles at first, a page at most ${most} kB, compressed`, () => {
  const html = readFileSync(join(built, 'index.html'), 'utf8');
  const linked = [...html.matchAll(/(?:src|href)="[^"]*\/assets\/([^"]+)"/g)].map(([, path = '']) =>
    basename(path),
  );
  expect(linked.length).toBeGreaterThan(1);
  const first = withImports(linked);
  const start = sumOf(first);
  expect(start).toBeLessThanOrEqual(mostAtFirst);
  const scripts = readdirSync(join(built, 'assets')).filter((name) => /\.(js|css)$/.test(name));
  const languages = readdirSync(join(root, 'packages/console/src/languages')).map((file) => parse(file).name);
  const translations = scripts.filter((name) => languages.some((tag) => name.startsWith(`${tag}-`)));
  expect(translations).toHaveLength(languages.length);
  for (const name of translations) expect(kB(name), name).toBeLessThanOrEqual(mostOfLanguage);
  // Each other file belongs to pages, or to the API reference.
  const pages = scripts
    .filter((name) => !first.has(name) && !translations.includes(name))
    .map((name) => [name, sumOf(withImports([...first, name]))] as const);
  for (const [name, size] of pages) expect(size, name).toBeLessThanOrEqual(most);
  const largest = Math.max(...pages.map(([, size]) => size));
  console.info(
    `the console loads ${start.toFixed(1)} kB at first, its largest page ${largest.toFixed(1)} kB`,
  );
});
