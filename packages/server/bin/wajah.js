#!/usr/bin/env node
// Checked in, so that `npx wajah` exists right after `npm ci`. In a checkout it builds what is missing;
// `--build` as the first argument brings a build up to date first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = new URL('../dist/cli/main.js', import.meta.url);
const pages = new URL('../../console/build.mjs', import.meta.url);
const checkout = new URL('../../../tsconfig.json', import.meta.url);

const update = process.argv[2] === '--build';
if (update) process.argv.splice(2, 1);
if (update || !existsSync(entry)) build();
await import(entry.href);

function build() {
  if (!existsSync(checkout)) {
    console.error('wajah: this installation holds no built program, and no sources to build it from.');
    process.exit(1);
  }
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(compiler), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b', fileURLToPath(checkout)], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  // Without its console the server still serves: what is wrong has been told.
  if (existsSync(pages)) spawnSync(process.execPath, [fileURLToPath(pages)], { stdio: ['ignore', 2, 2] });
}
