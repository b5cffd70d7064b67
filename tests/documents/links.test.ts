import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentPaths, root } from '../support/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors that GitHub gives to the headings of a page; a second heading of one name gets `-1`. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Relative links of a page whose file or heading does not exist. */
function brokenIn(path: string): string[] {
  const targets = [...withoutCode(read(path)).matchAll(/\]\((?![a-z]+:)([^)\s]+)[^)]*\)/g)].map(
    ([, target = '']) => target,
  );
  return targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(root, linked))) return true;
    return anchor !== undefined && linked.endsWith('.md') && !anchorsOf(read(linked)).has(anchor);
  });
}

/** Paths of the repository in code spans that do not exist; built files need not. */
function missingPathsIn(path: string): string[] {
  const spans = [...read(path).matchAll(/`((?:packages|lab|tests|docs)\/[\w./-]+)`/g)];
  return spans
    .map(([, named = '']) => named)
    .filter((named) => !/\bdist\b/.test(named) && !existsSync(join(root, named)));
}

describe('Markdown files link to and name what exists', () => {
  it.each(documentPaths())('%s', (path) => {
    expect(brokenIn(path)).toEqual([]);
    expect(missingPathsIn(path)).toEqual([]);
  });
});

it('the index of decision records lists each with its title', () => {
  const index = read('docs/adr/README.md');
  for (const name of readdirSync(join(root, 'docs/adr')).filter((file) => /^\d{4}-/.test(file))) {
    const [, title] = /^# \d+\. (.+)$/m.exec(read(`docs/adr/${name}`)) ?? [];
    expect(index).toContain(`[${title}](${name})`);
  }
});

describe('files for contributors', () => {
  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const pages = documentPaths().filter((path) => !path.startsWith('packages/'));
    const named = pages.flatMap((path) =>
      [...read(path).matchAll(/\bnpm run ([a-z]+(?::[a-z]+)*)\b(?!:)/g)].map(([, name = '']) => name),
    );
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });

  it('agree on the oldest Node', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toMatch(new RegExp(`^>=${read('.nvmrc').trim()}\\.`));
    expect(read('.github/workflows/ci.yml')).toContain(`node: [${read('.nvmrc').trim()}, `);
  });
});
