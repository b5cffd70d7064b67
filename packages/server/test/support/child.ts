import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const built = fileURLToPath(new URL('../../dist/store/data-directory.js', import.meta.url));

/** A script of `test/support` in a process of its own. It imports what `npm run build` made. */
export function startChild(script: string, ...args: string[]): ChildProcess {
  if (!existsSync(built)) throw new Error('this test runs the built server: npm run build first');
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The lines that the child prints, until it ends. */
export function linesOf(child: ChildProcess): AsyncIterable<string> {
  if (!child.stdout) throw new Error('the child prints nowhere');
  return createInterface({ input: child.stdout });
}

/** Resolves when the child is gone. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}
