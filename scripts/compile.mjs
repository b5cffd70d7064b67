#!/usr/bin/env node
// Compiles the contract, makes what the client library has of it, and compiles everything.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

for (const step of [[tsc, '-b', 'packages/contract'], ['packages/client/wire.mjs'], [tsc, '-b']]) {
  const { status } = spawnSync(process.execPath, step, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
