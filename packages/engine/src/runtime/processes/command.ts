import { existsSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** The command that starts a worker. @param entry compiled file of the worker */
export function workerCommand(entry: string): Command {
  return {
    file: process.execPath,
    args: [`--max-old-space-size=${HEAP_MIB}`, entry],
    cwd: parse(process.execPath).root,
  };
}

/** Pixels and tensors are outside of the heap. */
const HEAP_MIB = 512;

/** Node runs no TypeScript, so the sources use the built worker. */
export function compiledWorker(): string {
  const sibling = fileURLToPath(new URL('./worker.js', import.meta.url));
  return existsSync(sibling)
    ? sibling
    : fileURLToPath(new URL('../../../dist/runtime/processes/worker.js', import.meta.url));
}
