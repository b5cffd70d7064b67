import { basename, extname } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { OperatorError } from '../../../errors.ts';
import { type ImportSource, isPictureName, type ListedPicture, namesOf, peopleOf } from '../people.ts';
import { tooLarge } from './folder-source.ts';

/** Files that an archive may list. Each takes about 500 bytes of memory. */
const maxEntries = 2_000_000;

/**
 * A ZIP archive, laid out as a folder (see `openFolder`). Nothing is unpacked to the disk: each picture is read from the
 * archive in its turn. The library refuses names that are absolute or lead out of the archive, and data that is larger
 * than the archive says; a picture that says to be larger than `maxBytes` is not read.
 * @param root folder inside the archive, such as `staff`; empty: the top
 * @throws OperatorError when it is no archive, or is damaged
 */
export async function openZip(
  file: string,
  root: string,
  perPerson: number,
  maxBytes: number,
): Promise<ImportSource> {
  const refuse = (error: unknown) =>
    new OperatorError(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  const zip = await openPromise(file, { autoClose: false }).catch((error: unknown) => {
    throw refuse(error);
  });
  try {
    const listed: ListedPicture[] = [];
    let entries = 0;
    for await (const entry of zip.eachEntry()) {
      entries += 1;
      if (entries > maxEntries) throw new Error(`it lists more than ${maxEntries} files`);
      const person = personOf(entry.fileName, root);
      if (person !== null) {
        listed.push({
          ...namesOf(person),
          file: entry.fileName,
          read: () => readEntry(zip, entry, maxBytes),
        });
      }
    }
    listed.sort((a, b) => (a.file < b.file ? -1 : 1));
    return { ...peopleOf(listed, perPerson), close: async () => zip.close() };
  } catch (error) {
    zip.close();
    throw refuse(error);
  }
}

/** @returns null for what is no picture of a person in this layout */
function personOf(fileName: string, root: string): string | null {
  const prefix = root === '' ? '' : `${root.replace(/\/+$/, '')}/`;
  if (!fileName.startsWith(prefix)) return null;
  const parts = fileName.slice(prefix.length).split('/');
  const name = parts.at(-1) ?? '';
  const folder = parts[0] ?? '';
  if (!isPictureName(name) || folder.startsWith('.') || folder === '__MACOSX' || parts.length > 2)
    return null;
  return parts.length === 2 ? folder : basename(name, extname(name));
}

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Uint8Array> {
  if (entry.isEncrypted()) throw new Error('the file is encrypted in the archive; unpack it first');
  if (entry.uncompressedSize > maxBytes) throw new Error(tooLarge(entry.uncompressedSize, maxBytes));
  const parts: Buffer[] = [];
  for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
