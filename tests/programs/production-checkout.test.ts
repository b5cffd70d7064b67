import { execFile } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { Run } from '../support/program.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);

/** This checkout as a build leaves it, without its packages and what is no part of it. */
function builtCheckout(): string {
  const folder = join(temporaryDirectory(), 'wajah');
  const others = ['.git', '.cache', 'data', 'release', 'coverage'].map((name) => join(root, name));
  const filter = (path: string) => basename(path) !== 'node_modules' && !others.includes(path);
  cpSync(root, folder, { recursive: true, filter });
  return folder;
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

it('a checkout without what only builds need takes at most 400 MB, and serves', async () => {
  const page = readFileSync(join(root, 'docs/operations/installing.md'), 'utf8');
  const block = blocksOf(page).find(({ notRun }) => notRun?.includes('production-checkout'));
  const [install = '', ...others] = block!.text.split('\n');
  // What comes before was done here: these tests run in a checkout that is installed and built.
  expect(install).toMatch(/^npm ci && npm run build && npm ci --omit=dev$/);
  const serving = others.pop();
  expect(serving).toBe('npx --no wajah serve');
  const folder = builtCheckout();
  const script = [install.slice(install.lastIndexOf('npm ci')), ...others].join('\n');
  await run('bash', ['-ec', script], { cwd: folder });
  expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
  expect(sizeOf(folder)).toBeLessThan(400e6);

  const settings = { WAJAH_DATA_DIR: join(folder, 'data'), WAJAH_PAD_PACK: 'off' };
  // What `npx wajah` starts: npx itself does not pass signals on.
  const server = new Run(settings, ['serve'], [join(folder, 'node_modules/.bin/wajah')]);
  const url = await server.waitForOutput(/listens on (http:\S+)/);
  for (const path of ['ready', 'console', 'docs/guide/'])
    await expect.poll(async () => (await fetch(`${url}/${path}`)).status).toBe(200);
  expect((await server.stop('SIGTERM')).code).toBe(0);
});
