import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';

const inMemory = '/dev/shm';
const prefix = 'wajah-run-';
const neededBytes = 4 * 2 ** 30;

/**
 * Vitest's global setup: one folder for the temporary files of a run, in memory where there is room, so that no test
 * waits for a disk. At the end of the run it is removed, and a PostgreSQL server that a failed test left is stopped.
 */
export function setup(project: TestProject): void {
  // Of another project of the same run.
  if (basename(tmpdir()).startsWith(prefix)) return;
  const folder = mkdtempSync(join(hasRoom() ? inMemory : tmpdir(), prefix));
  // Test processes and what they start inherit it; PostgreSQL's user has to pass through.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  const kept = join(folder, 'kept-results');
  mkdirSync(kept);
  // In watch mode: the sources have changed.
  project.onTestsRerun(() => {
    rmSync(kept, { recursive: true });
    mkdirSync(kept);
  });
  // A run whose build fails ends without a teardown.
  process.once('exit', () => {
    for (const name of readdirSync(folder)) stopPostgres(join(folder, name, 'data/postmaster.pid'));
    rmSync(folder, { recursive: true, force: true });
  });
}

function hasRoom(): boolean {
  if (!existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > neededBytes;
}

function stopPostgres(pidFile: string): void {
  if (!existsSync(pidFile)) return;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
  } catch {
    // It has ended.
  }
}
