import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineError } from '../errors.ts';

const PIECE_BYTES = 512 << 10;

/** A file of a pack, and its SHA-256 (hexadecimal), which the manifest pins. */
export interface PinnedFile {
  readonly file: string;
  readonly source: { readonly sha256: string };
}

/** Whether a folder has all files, and none is damaged. */
export async function isIntact(folder: string, files: readonly PinnedFile[]): Promise<boolean> {
  try {
    for (const file of files) await verifiedFile(folder, file);
    return true;
  } catch {
    return false;
  }
}

/** Verifies the digest of one file. @returns its path @throws EngineError `pack` when it is missing or damaged */
export async function verifiedFile(folder: string, { file, source }: PinnedFile): Promise<string> {
  const path = join(folder, file);
  const found = await fileDigest(path).catch((cause: NodeJS.ErrnoException) => {
    throw new EngineError('pack', `The model file ${path} cannot be read (${cause.code}).`, { cause });
  });
  if (found !== source.sha256) throw new EngineError('pack', `The model file ${path} is damaged.`);
  return path;
}

/** @returns the bytes @throws EngineError `pack` when a network was converted to other bytes than the manifest pins */
export function requireConverted({ file, source }: PinnedFile, bytes: Uint8Array): Uint8Array {
  const found = digest(bytes);
  if (found === source.sha256) return bytes;
  throw new EngineError(
    'pack',
    `${file} was converted to a file of the SHA-256 ${found}, the pack pins another.`,
  );
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
  await createMissing(folder).catch((cause: unknown) => {
    throw notWritten(cause);
  });
}

/** Node's `recursive` option never returns where a parent accepts no entries, for example below /proc. */
async function createMissing(folder: string): Promise<void> {
  const create = () =>
    mkdir(folder).catch(async (error: unknown) => {
      // It is there, or another process has created it meanwhile.
      if (!(await stat(folder).catch(() => null))?.isDirectory()) throw error;
    });
  await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await createMissing(dirname(folder));
    await create();
  });
}

/** Why nothing can be written into a cache folder; null: it can. Nothing is left behind. */
export async function cacheFault(folder: string): Promise<string | null> {
  const parent = dirname(folder);
  if (parent !== folder && !(await stat(folder).catch(() => null))) return cacheFault(parent);
  try {
    await rmdir(await mkdtemp(join(folder, '.wajah-')));
    return null;
  } catch (error) {
    return notWritten(error).message;
  }
}

/**
 * Writes a file under a temporary name, syncs and renames it: with concurrent writers, a reader sees no file or a whole one.
 * @throws EngineError `pack` when the folder cannot be written
 */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
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
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
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

/**
 * Folder of what releases bring along in the npm package `@wajah/models`; a checkout has it without networks and packs.
 * @param kind `networks`: folders as in the cache of converted networks; `packs`: installed packs by name
 */
export function shippedFolder(kind: 'networks' | 'packs'): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@wajah/models/package.json')), kind);
  } catch {
    return undefined;
  }
}
