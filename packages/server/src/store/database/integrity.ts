import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SqliteDatabase } from './sqlite.ts';

/** A larger file is not checked before it is served: 2 to 12 s a gigabyte. Bytes. */
export const checkedAtOnce = 256 * 1024 * 1024;

/** @returns null: sound; else the first fault that `PRAGMA quick_check` finds */
export function findDamage(db: SqliteDatabase): string | null {
  const [finding] = db.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  const found = finding?.quick_check ?? 'no answer';
  return found === 'ok' ? null : found;
}

/** A check in a process of its own: the statement cannot be interrupted, and would occupy a thread for minutes. */
export interface FileCheck {
  /** As `findDamage`; null, too, when the check was stopped. */
  readonly damage: Promise<string | null>;
  stop(): void;
}

/** Node 20 cannot run TypeScript: tests use the built file. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/store/database/check-file.js' : './check-file.js',
  import.meta.url,
);

export function checkFile(file: string): FileCheck {
  const child = spawn(process.execPath, [fileURLToPath(program), file], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  });
  child.unref();
  const damage = text(child.stdout).then((found) => (found === '' || found === 'ok' ? null : found));
  return { damage: damage.catch(() => null), stop: () => void child.kill('SIGKILL') };
}
