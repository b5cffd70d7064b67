import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './sources.ts';

/**
 * Vitest's global setup: compiles what is stale. Worker threads and programs run compiled (`dist/`), everything else
 * from the sources.
 */
export function setup(): void {
  runNode('scripts/compile.mjs');
}

/**
 * Runs a program of the repository, whose output is shown. Where it fails the run of tests ends: of an error that is thrown
 * here vitest says that there are no test files.
 */
export function runNode(script: string): void {
  const { status } = spawnSync(process.execPath, [join(root, script)], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`\n${script} failed, as said above: no test was run.`);
  process.exit(1);
}
