#!/usr/bin/env node
// `npm run bench <name> -- [options]`: builds the product, then runs a benchmark of lab/src/bench, whose head names its
// options. Without a name: lists them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(`${root}/lab/src/bench`)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));

/** CPU time of one thread must not have that of the collector. */
const flags = { engine: ['--single-threaded-gc', '--no-incremental-marking'] };

const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(
    `npm run bench <name> -- [options]; found ${name ?? 'no name'}, allowed: ${names.join(', ')}`,
  );
  process.exit(1);
}
run('npm', ['run', '--silent', 'build']);
run(process.execPath, [...(flags[name] ?? []), `lab/dist/bench/${name}.js`, ...options]);

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
