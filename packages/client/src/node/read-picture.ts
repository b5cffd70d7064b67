import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Reads a picture from the disk. A device or a pipe, which might never end, is not read.
 * @throws Error a sentence, when it is no file, cannot be read or is too large
 */
export function readPicture(path: string, maxBytes: number): Promise<Uint8Array> {
  return readFrom(path, (file, size) => {
    if (size > maxBytes) throw new Error(tooLarge(size, maxBytes));
    return file.readFile();
  });
}

/** The first bytes of a file. @throws Error as `readPicture` */
export function readHead(path: string, length: number): Promise<Uint8Array> {
  return readFrom(path, async (file) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  });
}

export const tooLarge = (bytes: number, maxBytes: number) =>
  `the picture is ${bytes} bytes, at most ${maxBytes} are allowed`;

async function readFrom<T>(path: string, read: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  try {
    // Opening a pipe would otherwise wait for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error(`it is ${kindOf(found)}; only files are read`);
      return await read(file, found.size);
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
  if (code === 'ENOENT') return 'there is no such file';
  return `the file cannot be read (${code})`;
}

/** In words, for a sentence about something that is no file. */
function kindOf(found: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
