import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../errors.ts';

/**
 * @NOTE cache
 * A cache folder holds files and `index.json` with the SHA-256 of each, written last. Every file is written under a
 * temporary name, synced and renamed, and conversion is deterministic: with concurrent writers, a reader sees no file, or
 * complete files that match the index.
 */
const INDEX = 'index.json';
const PIECE_BYTES = 512 << 10;
const indexSchema = z.record(z.string(), z.string());

/** SHA-256 (hexadecimal) of the files of a cache folder, by name. */
export type CacheIndex = Readonly<Record<string, string>>;

/** Index of a folder, or null when one of `names` is missing or damaged. */
export async function readCache(folder: string, names: readonly string[]): Promise<CacheIndex | null> {
  try {
    const index = indexSchema.parse(JSON.parse(await readFile(join(folder, INDEX), 'utf8')));
    for (const name of names) await verifiedFile(folder, name, index);
    return index;
  } catch {
    return null;
  }
}

/** Verifies the digest of one file. @returns its path @throws EngineError `pack` when it is missing or damaged */
export async function verifiedFile(folder: string, name: string, index: CacheIndex): Promise<string> {
  const path = join(folder, name);
  const found = await fileDigest(path).catch((cause: unknown) => {
    throw new EngineError('pack', `The model cache lacks ${name}.`, { cause });
  });
  if (found !== index[name]) throw new EngineError('pack', `The model cache file ${name} is damaged.`);
  return path;
}

/** SHA-256 of a file in hexadecimal. One buffer for all pieces: a process would keep the bytes of whole networks for long. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Creates a cache folder. @throws EngineError `pack` when it cannot be created */
export async function createCache(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw notWritten(cause);
  });
}

/** Writes the files and then the index. @throws EngineError `pack` when the folder cannot be written */
export async function writeCache(
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<CacheIndex> {
  await createCache(folder);
  try {
    const index: Record<string, string> = {};
    for (const [name, bytes] of Object.entries(files)) {
      await writeWhole(folder, name, bytes);
      index[name] = digest(bytes);
    }
    await writeWhole(folder, INDEX, Buffer.from(`${JSON.stringify(index, null, 2)}\n`));
    return index;
  } catch (cause) {
    throw notWritten(cause);
  }
}

function notWritten(cause: unknown): EngineError {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
  return new EngineError('pack', `The model cache folder cannot be written (${reason}).`, { cause });
}

/** SHA-256 in hexadecimal. */
export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
