#!/usr/bin/env node
// Checked in, so that `npx wajah` exists right after `npm ci`. In a checkout it builds the program if there is no
// build; `--build` as the first argument updates the build first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The compiled program uses features that an older Node does not have: it would end with a syntax error.
const oldest = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(
    `wajah: this is Node ${process.versions.node}; Node ${oldest.join('.')} or newer is needed (24 is recommended).`,
  );
  process.exit(1);
}

const entry = new URL('../dist/cli/main.js', import.meta.url);
const pages = new URL('../../console/build.mjs', import.meta.url);
const guide = new URL('../../guide/dist/main.js', import.meta.url);
const compile = new URL('../../../scripts/compile.mjs', import.meta.url);

const update = process.argv[2] === '--build';
if (update) process.argv.splice(2, 1);
if (!existsSync(entry)) console.error('wajah: building the program, for the first start (about a minute) …');
if (update || !existsSync(entry)) build();
try {
  await import(entry.href);
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(`wajah: ${error.message}; install the program again (in a checkout: npm ci)`);
  process.exit(1);
}

function build() {
  if (!existsSync(compile)) {
    console.error(
      'wajah: this installation contains neither a built program nor the sources to build it from.',
    );
    process.exit(1);
  }
  const { status } = spawnSync(process.execPath, [fileURLToPath(compile)], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  // The server works without its pages; each script prints what failed.
  for (const script of [pages, guide]) {
    if (existsSync(script)) spawnSync(process.execPath, [fileURLToPath(script)], { stdio: ['ignore', 2, 2] });
  }
}
