import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './sources.ts';

/**
 * Vitest's global setup: compiles what is stale. Worker threads and programs run compiled (`dist/`), everything else
 * from the sources.
 * @throws Error when the sources do not compile; the compiler has printed why
 */
export function setup(): void {
  runNode('scripts/compile.mjs');
}

/** Runs a program of the repository, whose output is shown. */
export function runNode(script: string): void {
  execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: 'inherit' });
}
