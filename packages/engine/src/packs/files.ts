import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';

const PIECE_BYTES = 512 << 10;

/** A file of a pack, and its SHA-256 (hexadecimal), which the manifest pins. */
export interface PinnedFile {
  readonly file: string;
  readonly source: { readonly sha256: string };
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

/** SHA-256 in hexadecimal. */
export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
