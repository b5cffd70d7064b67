import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, root } from '../support/sources.ts';

/**
 * Follows the imports of a built file, which have no types; what is imported on use is left out.
 * @returns our files, from `packages/`, and the other packages
 */
function loadedWith(entry: string): { files: string[]; packages: string[] } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(root, 'packages', file), 'utf8').replaceAll('import(', '(');
    for (const name of importsOf(text)) {
      const [, own, door = 'index'] = /^@wajah\/(\w+)(?:\/(\w+))?$/.exec(name) ?? [];
      if (own) files.add(`${own}/dist/${door}.js`);
      else if (name.startsWith('.')) files.add(posix.join(posix.dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files: [...files], packages: [...packages].sort() };
}

it('a thread that scans galleries loads no package: each server would load them once more', () => {
  const { files, packages } = loadedWith('server/dist/matching/scan/scan-worker.js');
  expect(files.length).toBeGreaterThan(5);
  expect(packages).toEqual([]);
});

it('the command line loads neither the engine nor the endpoints before a command needs them', () => {
  const { files, packages } = loadedWith('server/dist/cli/main.js');
  expect(files).toContain('server/dist/operations/galleries.js');
  expect(files.filter((file) => /^(engine|contract\/dist\/endpoints)\//.test(file))).toEqual([]);
  expect(packages).toEqual(['cli-progress', 'commander', 'ipaddr.js', 'zod']);
});
