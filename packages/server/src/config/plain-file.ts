import { readFileSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { OperatorError } from '../errors.ts';

/** No key, certificate or file of settings is so large. */
const mostBytes = 2 ** 24;

/**
 * Reads a small file whole: a device such as /dev/zero has no end, and a pipe may never have one. The empty
 * one of the system is taken, as whoever wants no file names it.
 * @throws OperatorError when it is no file, or larger than 16 MiB; what the system says of it otherwise
 */
export function readPlainFile(path: string): Buffer {
  const stat = statSync(path);
  if (!stat.isFile() && path !== devNull) throw new OperatorError(`${path} is no plain file`);
  if (stat.size > mostBytes) throw new OperatorError(`${path} is larger than 16 MiB`);
  return readFileSync(path);
}
