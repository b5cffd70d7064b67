import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const built = fileURLToPath(new URL('../../dist/store/data-directory.js', import.meta.url));

/** A script of `test/scripts` in a process of its own. It imports the output of `npm run build`. */
export function startChild(script: string, ...args: string[]): ChildProcess {
  return start(process.execPath, [pathOf(script), ...args]);
}

/** As `startChild`, with a maximum size of files in KiB: a write beyond it fails as on a full disk. */
export function startLimitedChild(kib: number, script: string, ...args: string[]): ChildProcess {
  const command = `ulimit -S -f ${2 * kib}; exec "$0" "$@"`;
  return start('sh', ['-c', command, process.execPath, pathOf(script), ...args]);
}

function pathOf(script: string): string {
  if (!existsSync(built)) throw new Error('this test runs the built server: npm run build first');
  return fileURLToPath(new URL(`../scripts/${script}`, import.meta.url));
}

function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The lines that the child prints, until it ends. */
export function linesOf(child: ChildProcess): AsyncIterable<string> {
  if (!child.stdout) throw new Error('the child prints nowhere');
  return createInterface({ input: child.stdout });
}

/** Resolves when the child has ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}
