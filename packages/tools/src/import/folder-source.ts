import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, sep } from 'node:path';
import { imageType } from '@wajah/engine';
import { OperatorError } from '@wajah/server/commands';
import {
  type ImportOutcome,
  type ImportSource,
  isPictureName,
  isSystemName,
  type ListedPicture,
  namesOf,
  peopleOf,
  readHead,
  readPicture,
} from './people.ts';

/** A folder of people while it is listed. */
interface Listing {
  readonly folder: string;
  /** The folder without links. */
  readonly top: string;
  readonly maxBytes: number;
  readonly pictures: ListedPicture[];
  readonly left: ImportOutcome[];
}

/**
 * A folder with a folder (`3174001/front.jpg`) or a file (`3174001.jpg`) for each person. The name is the user_id; as
 * user_name, `_` is a space. Files whose first bytes are a picture's are read whatever they are called. Links are followed
 * within the folder. Everything else is left out with its reason.
 * @throws OperatorError when the folder cannot be read
 */
export async function openFolder(folder: string, perPerson: number, maxBytes: number): Promise<ImportSource> {
  const cannotRead = (error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${folder} cannot be read (${error.code}); name a folder`, { cause: error });
  };
  const top = await realpath(folder).catch(cannotRead);
  const entries = await readdir(folder, { withFileTypes: true }).catch(cannotRead);
  const listing: Listing = { folder, top, maxBytes, pictures: [], left: [] };
  for (const entry of entries.sort(byName)) {
    const { name } = entry;
    if (isSystemName(name)) leaveOut(listing, name, systemEntry);
    else if (entry.isDirectory()) await listPerson(listing, name);
    else await listFile(listing, basename(name, extname(name)), name, entry);
  }
  const found = peopleOf(listing.pictures, perPerson);
  return { ...found, refused: [...listing.left, ...found.refused], close: async () => undefined };
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
const systemEntry = 'it belongs to a system: a bin, thumbnails, or what is hidden';
const nested = "it is a folder within a person's folder, and is not read; move its pictures up";
const linkedFolder = 'it is a link to a folder; links to pictures are followed, those to folders are not';

async function listPerson(listing: Listing, person: string): Promise<void> {
  const entries = await readdir(join(listing.folder, person), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (!Array.isArray(entries)) {
    return refuse(listing, person, person, `the folder cannot be read (${entries})`);
  }
  let isEmpty = true;
  for (const entry of entries.sort(byName)) {
    const file = join(person, entry.name);
    if (isSystemName(entry.name)) leaveOut(listing, file, systemEntry);
    else {
      if (entry.isDirectory()) refuse(listing, person, file, nested);
      else if (!(await listFile(listing, person, file, entry))) continue;
      isEmpty = false;
    }
  }
  if (isEmpty) refuse(listing, person, person, 'the folder has no picture');
}

/** @returns false for what is no picture and was not meant as one */
async function listFile(listing: Listing, person: string, file: string, entry: Dirent): Promise<boolean> {
  const path = join(listing.folder, file);
  const read = async () => {
    await requireInside(listing.top, path);
    return readPicture(path, listing.maxBytes);
  };
  if (entry.isSymbolicLink() && (await isFolder(path))) {
    refuse(listing, person, file, linkedFolder);
    return true;
  }
  // Where a link leads is looked at when it is read.
  const isMeant = isPictureName(entry.name) || entry.isSymbolicLink();
  const other = isMeant ? null : await otherThanPicture(path);
  if (other !== null) {
    leaveOut(listing, file, `it is no picture (${other})`, 'it is no picture');
    return false;
  }
  listing.pictures.push({ ...namesOf(person), file, read });
  return true;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * What a file is by its first bytes.
 * @returns null for a picture, also one of a format that is refused, and for what cannot be read: reading it says why
 */
async function otherThanPicture(path: string): Promise<string | null> {
  const head = await readHead(path).catch(() => null);
  if (head === null) return null;
  const type = imageType(head);
  if (type.format !== 'other' || / (picture|drawing)$/.test(type.looksLike)) return null;
  return type.looksLike;
}

function refuse({ left }: Listing, person: string, file: string, reason: string): void {
  left.push({ person, file, status: 'refused', reason });
}

function leaveOut({ left }: Listing, file: string, reason: string, kind = reason): void {
  left.push({ person: '', file, status: 'ignored', reason, kind });
}

/** Who fills the folder does not choose other files of the machine. @throws Error a sentence */
async function requireInside(top: string, path: string): Promise<void> {
  // What does not exist is refused when it is read.
  const real = await realpath(path).catch(() => null);
  if (real === null || real.startsWith(top.endsWith(sep) ? top : top + sep)) return;
  throw new Error('it is a link to a file outside the folder; copy the picture, or name it in a CSV file');
}
