import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const names = readdirSync(join(root, 'docs/id')).filter((name) => name.endsWith('.md'));
const englishOf = (name: string) => (name === 'README.md' ? name : `docs/${name}`);

interface Section {
  /** `##` and so on. */
  readonly level: string;
  readonly text: string;
}

const code = /^```[\s\S]*?^```$/gm;

/** A page without code blocks and comments, split at its headings. */
function sectionsOf(page: string): Section[] {
  const plain = page.replace(code, '').replace(/<!--[\s\S]*?-->/g, '');
  return plain
    .split(/^(?=#{1,6} )/m)
    .filter((text) => text.startsWith('#'))
    .map((text) => ({ level: /^#+/.exec(text)![0], text }));
}

/** Figures in the text: not those of links, names in code and codes such as SHA-256. */
function figuresOf(text: string): string[] {
  const prose = text
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/`[^`]*`/g, '')
    .replace(/[A-Za-z]+-?\d[\w.-]*/g, '');
  return (prose.match(/\d[\d,.]*\d|\d/g) ?? []).sort();
}

const namesInCode = (text: string) => [...new Set(text.match(/`[^`\n]+`/g))].sort();

/** Number of cells of each table row. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.match(/(?<!\\)\|/g)!.length);

/** Paragraphs and list items: each is a line. */
const paragraphsOf = (text: string) => text.split('\n').filter((line) => /^[^|#\s]/.test(line)).length;

/** The documents that a page links to, by their English path; the anchors differ. */
function linksOf(page: string, path: string): string[] {
  const targets = [...page.replace(code, '').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(
    ([, target = '']) => target,
  );
  const local = targets.filter((target) => !/^[a-z]+:/.test(target));
  const resolved = local.map((target) => posix.join(posix.dirname(path), target));
  return [
    ...new Set(resolved.map((target) => target.replace(/^docs\/id\/(.+)$/, (_, name) => englishOf(name)))),
  ].sort();
}

describe('Indonesian documents follow the English ones', () => {
  it('are those that were promised', () => {
    expect(names.sort()).toEqual([
      'README.md',
      'comparison.md',
      'dpia.md',
      'expected.md',
      'guide.md',
      'liveness.md',
      'openid.md',
      'privacy.md',
      'start.md',
      'troubleshooting.md',
      'unknown.md',
    ]);
  });

  it.each(names)('%s', (name) => {
    const [english, indonesian] = [read(englishOf(name)), read(`docs/id/${name}`)];
    expect(indonesian.match(code)).toEqual(english.match(code));
    const [from, to] = [sectionsOf(english), sectionsOf(indonesian)];
    expect(to.map(({ level }) => level)).toEqual(from.map(({ level }) => level));
    for (const [index, { text }] of from.entries()) {
      const translated = to[index]!.text;
      const where = `docs/id/${name}, ${translated.split('\n')[0]}`;
      expect([where, figuresOf(translated)]).toEqual([where, figuresOf(text)]);
      expect([where, namesInCode(translated)]).toEqual([where, namesInCode(text)]);
      expect([where, rowsOf(translated)]).toEqual([where, rowsOf(text)]);
      expect([where, paragraphsOf(translated)]).toEqual([where, paragraphsOf(text)]);
    }
    const missing = linksOf(english, englishOf(name)).filter(
      (target) => !linksOf(indonesian, `docs/id/${name}`).includes(target),
    );
    expect(missing).toEqual([]);
  });
});
