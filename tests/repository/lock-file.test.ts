import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/sources.ts';

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// npm omits the packages of other platforms when it cannot fetch them, and then `npm ci` fails everywhere.
it('the lock file names every optional package', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Entry>>;
  };
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

it('the lock file names no registry', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "http/);
});

it('the lock file has the SHA-512 of each package, and no script of a package runs at the installation', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = Object.entries<{ link?: boolean; integrity?: string }>(packages);
  const unsealed = entries.filter(
    ([path, { link, integrity }]) =>
      path.includes('node_modules/') && !link && !integrity?.startsWith('sha512-'),
  );
  expect(unsealed.map(([path]) => path)).toEqual([]);
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});
