import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/** Exists in a run of the tests only, which begins with an empty one (`tests/support/run-folder.ts`). */
const folder = join(tmpdir(), 'kept-results');
const isInRun = existsSync(folder);

/**
 * Result of a computation that always gives the same one: it is computed once in a run, for all test processes, and each
 * caller gets a copy of its own.
 * @param parts all that the result depends on
 */
export async function keptInRun<T>(
  parts: readonly (string | Uint8Array)[],
  compute: () => Promise<T>,
): Promise<T> {
  if (!isInRun) return compute();
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  const path = join(folder, hash.digest('hex'));
  if (!existsSync(path)) keep(path, await compute());
  return deserialize(readFileSync(path)) as T;
}

/** A rename is seen whole or not at all: other processes may keep the same. */
function keep(path: string, result: unknown): void {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, serialize(result));
  renameSync(temporary, path);
}
