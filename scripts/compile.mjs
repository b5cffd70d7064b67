#!/usr/bin/env node
// Compiles the contract, makes what the client library has of it, compiles everything, and writes the networks that the
// engine lacks.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(compilerFolder(), 'bin/tsc');

for (const step of [
  [tsc, '-b', 'packages/contract'],
  ['packages/client/wire.mjs'],
  [tsc, '-b'],
  ['scripts/networks.mjs'],
]) {
  const { status } = spawnSync(process.execPath, step, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function compilerFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  } catch {
    console.error(`wajah: the compiler is not installed: run \`npm ci --include=dev\` in ${cwd}.`);
    process.exit(1);
  }
}
