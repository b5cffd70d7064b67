import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { root } from '../support/sources.ts';

/** The options of an editor for a JavaScript file. */
const compilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: false,
  skipLibCheck: true,
  target: 'ES2023',
  module: 'nodenext',
  lib: ['ES2023', 'DOM'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};

it('the programs of the documents compile against the client', () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'node_modules/@wajah'), { recursive: true });
  symlinkSync(join(root, 'packages/client'), join(folder, 'node_modules/@wajah/client'));
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', 'packages/client/README.md', ...guides.map((name) => `docs/${name}`)];
  let programs = 0;
  for (const path of pages) {
    const blocks = blocksOf(readFileSync(join(root, path), 'utf8')).filter(
      ({ language }) => language === 'js',
    );
    const texts = blocks.filter(({ file }) => file !== undefined).map(({ text }) => text);
    const snippets = blocks.filter(({ file }) => file === undefined).map(({ text }) => text);
    for (const text of [...texts, snippets.join('\n')]) {
      if (!text.includes('@wajah/client')) continue;
      programs += 1;
      writeFileSync(join(folder, `${path.replace(/\W/g, '-')}-${programs}.mjs`), text);
    }
  }
  expect(programs).toBeGreaterThan(4);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mjs'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
