import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { root } from '../support/sources.ts';

const built = join(root, 'packages/console/dist');

/** kB of scripts and styles, compressed. */
const most = 125;

const kB = (name: string) => gzipSync(readFileSync(join(built, 'assets', name))).length / 1000;

it(`a page of the console loads at most ${most} kB of scripts and styles, compressed`, () => {
  const html = readFileSync(join(built, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="[^"]*\/assets\/([^"]+)"/g)].map(([, path = '']) =>
    basename(path),
  );
  expect(first.length).toBeGreaterThan(1);
  const start = first.reduce((sum, name) => sum + kB(name), 0);
  // Each other file belongs to one page, or to the API reference.
  const later = readdirSync(join(built, 'assets')).filter((name) => !first.includes(name));
  for (const name of later) expect(start + kB(name), name).toBeLessThanOrEqual(most);
  console.info(`the console loads ${start.toFixed(0)} kB at first`);
});
