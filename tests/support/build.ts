import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from './sources.ts';

/** Tests that may open the console or the documents, or start a server that serves them. */
const pageTests = /\/tests\/(browser|documents|programs)\//;

/**
 * Vitest's global setup: compiles what is stale before the first test. Worker threads and programs run compiled
 * (`dist/`), everything else from the sources.
 * @throws Error when the sources do not compile; the compiler has printed why
 */
export function setup({ vitest }: TestProject): void {
  node('scripts/compile.mjs');
  if (!vitest.state.getPaths().some((path) => pageTests.test(path))) return;
  node('packages/console/build.mjs');
  node('packages/guide/dist/main.js');
}

function node(script: string): void {
  execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: 'inherit' });
}
