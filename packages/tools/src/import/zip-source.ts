import { basename, extname } from 'node:path';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { OperatorError } from '@wajah/server/commands';
import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl';
import {
  type ImportOutcome,
  type ImportSource,
  isPictureName,
  isSystemName,
  type ListedPicture,
  namesOf,
  peopleOf,
  tooLarge,
} from './people.ts';

/** Files that an archive may list. Each takes about 500 bytes of memory. */
const maxEntries = 2_000_000;

/** Names and sizes are checked here, so that one entry is refused and not the archive. */
const openOptions = { autoClose: false, decodeStrings: false, validateEntrySizes: false };

/**
 * A ZIP archive, laid out as a folder (see `openFolder`). Nothing is unpacked to the disk: each picture is read from the
 * archive in its turn. Refused are names that are absolute or lead out of the archive, names that come again, links,
 * encrypted files, and data that has another length or sum than the archive says.
 * @param root folder inside the archive, such as `staff`; empty: the top
 * @throws OperatorError when it is no archive, or its list of files is damaged
 */
export async function openZip(
  file: string,
  root: string,
  perPerson: number,
  maxBytes: number,
): Promise<ImportSource> {
  const refuse = (error: unknown) =>
    new OperatorError(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  const zip = await openPromise(file, openOptions).catch((error: unknown) => {
    throw refuse(error);
  });
  try {
    const { listed, refused } = await listPictures(zip, root, maxBytes);
    const found = peopleOf(listed, perPerson);
    return { ...found, refused: [...refused, ...found.refused], close: async () => zip.close() };
  } catch (error) {
    zip.close();
    throw refuse(error);
  }
}

async function listPictures(zip: ZipFile, root: string, maxBytes: number) {
  const listed = new Map<string, ListedPicture>();
  const refused: ImportOutcome[] = [];
  let entries = 0;
  for await (const entry of zip.eachEntry()) {
    entries += 1;
    if (entries > maxEntries) throw new Error(`it lists more than ${maxEntries} files`);
    const name = nameOf(entry);
    const person = personOf(name, root) ?? '';
    const reason = nameFault(name) ?? (listed.has(name) ? 'the archive has this name twice' : null);
    if (reason !== null) refused.push({ person, file: name, status: 'refused', reason });
    else if (person !== '') {
      const read = () => readEntry(zip, entry, maxBytes);
      listed.set(name, { ...namesOf(person), file: name, read });
    }
  }
  const inOrder = [...listed.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  return { listed: inOrder, refused };
}

/** UTF-8 or, without the mark of it, code page 437. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

function nameFault(name: string): string | null {
  if (name.includes('\uFFFD')) return 'its name is not UTF-8';
  return validateFileName(name) === null ? null : 'its name leads out of the archive';
}

/** @returns null for what is no picture of a person in this layout */
function personOf(fileName: string, root: string): string | null {
  const prefix = root === '' ? '' : `${root.replace(/\/+$/, '')}/`;
  if (!fileName.startsWith(prefix)) return null;
  const parts = fileName.slice(prefix.length).split('/');
  const name = parts.at(-1) ?? '';
  const folder = parts[0] ?? '';
  if (!isPictureName(name) || isSystemName(name) || isSystemName(folder) || parts.length > 2) return null;
  return parts.length === 2 ? folder : basename(name, extname(name));
}

const inflate = promisify(inflateRaw);
const stored = 0;
const deflated = 8;
/** Of the upper half of a Unix mode. */
const [typeOfFile, symbolicLink] = [0o170_000, 0o120_000];

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Uint8Array> {
  const { compressionMethod, uncompressedSize: size, externalFileAttributes } = entry;
  if (entry.isEncrypted()) throw new Error('the file is encrypted in the archive; unpack it first');
  if (((externalFileAttributes >>> 16) & typeOfFile) === symbolicLink)
    throw new Error('it is a link in the archive; only files are read');
  if (compressionMethod !== stored && compressionMethod !== deflated)
    throw new Error(`its compression is method ${compressionMethod}; allowed are 0 (none) and 8 (deflate)`);
  const largest = Math.max(size, entry.compressedSize);
  if (largest > maxBytes) throw new Error(tooLarge(largest, maxBytes));
  const parts: Buffer[] = [];
  for await (const part of await zip.openReadStreamPromise(entry, { decodeFileData: false }))
    parts.push(part as Buffer);
  const raw = Buffer.concat(parts);
  const bytes = compressionMethod === stored ? raw : await inflated(raw, size);
  if (bytes.length !== size) throw differs(size);
  if (crc32(bytes) !== entry.crc32) throw new Error('the file is damaged: its sum (CRC-32) differs');
  return bytes;
}

async function inflated(raw: Buffer, size: number): Promise<Uint8Array> {
  return inflate(raw, { maxOutputLength: Math.max(1, size) }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? differs(size)
      : new Error(`the file is damaged in the archive (${error.code})`, { cause: error });
  });
}

const differs = (size: number) =>
  new Error(`the file is not as long as the archive says (${size} ${size === 1 ? 'byte' : 'bytes'})`);
