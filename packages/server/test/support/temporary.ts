import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

const ofFile: (() => unknown)[] = [];

/** Does something at the end of the test, or of the file where no test runs; the latest first. */
export function atEnd(work: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await work()));
  else ofFile.push(work);
}

/** What is left to do when a file has ended; `each-file.ts` calls it. */
export async function endOfFile(): Promise<void> {
  for (const work of ofFile.splice(0).reverse()) await work();
}

/** A new directory that is removed when the test, or the file, ends. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'wajah-test-'));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
