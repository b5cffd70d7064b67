import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPlainFile } from '../../config/plain-file.ts';
import { OperatorError } from '../../errors.ts';

/** Reads a private file. @returns null when it does not exist @throws OperatorError when other users can access it */
export function readPrivateFile(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return null;
  const text = readPlainFile(file).toString('utf8');
  if (process.platform !== 'win32' && stat.isFile() && (stat.mode & 0o007) !== 0) {
    throw new OperatorError(
      `${file} has mode ${(stat.mode & 0o777).toString(8)}, so every user of this machine can access it; run chmod 600 on it`,
    );
  }
  return text;
}

/** As `readPrivateFile`. @throws OperatorError also when it does not exist */
export function requirePrivateFile(file: string): string {
  const text = readPrivateFile(file);
  if (text === null) throw new OperatorError(`${file} does not exist`);
  return text;
}

/**
 * Creates a file of mode 0600 atomically and durably: neither a crash nor a power failure leaves a partial key, or data
 * sealed under a lost one.
 */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  syncPath(dirname(file));
}

/** Writes a file, or the entries of a directory, to the disk: then a file that was renamed keeps its name after a loss of power. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
