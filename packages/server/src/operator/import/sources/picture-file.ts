import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a picture from the disk. A device or a pipe, which might never end, is not read.
 * @throws Error a sentence, when it is no file, cannot be read or is too large
 */
export async function readPicture(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    // Opening a pipe would otherwise wait for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error(`it is ${kindOf(found)}; only files are read`);
      if (found.size > maxBytes) throw new Error(tooLarge(found.size, maxBytes));
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const sentence = code === 'ENXIO' ? 'it is a socket; only files are read' : cannotRead(path, code);
    throw new Error(sentence, { cause: error });
  }
}

function cannotRead(path: string, code: string): string {
  // Node.js replaces bytes of a name that are not UTF-8.
  if (code === 'ENOENT' && path.includes('\uFFFD')) return 'its name is not UTF-8; rename the file';
  return `the file cannot be read (${code})`;
}

/** In words, for a sentence about something that is no file. */
function kindOf(found: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

export const tooLarge = (bytes: number, maxBytes: number) =>
  `the picture is ${bytes} bytes, at most ${maxBytes} are allowed`;
