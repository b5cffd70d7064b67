import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, sep } from 'node:path';
import { isDeviceName } from '../device-names.ts';
import type { Enrolee, EnroleePicture, LeftOut } from '../people.ts';
import { aDate, damageOf } from '../user-ids.ts';
import { aPicture } from '../wire.ts';
import { readHead, readPicture } from './read-picture.ts';

export interface FolderPeople {
  readonly people: readonly Enrolee[];
  readonly left_out: readonly LeftOut[];
}

interface FolderReading {
  /** The person of a file or folder name. */
  readonly personOf: (name: string) => { readonly user_id: string; readonly user_name: string };
  /** Bytes of a picture at most. */
  readonly maxBytes: number;
}

/** A folder of people while it is listed. */
interface Listing extends Pick<FolderReading, 'maxBytes'> {
  readonly folder: string;
  /** The folder without links. */
  readonly top: string;
  readonly pictures: Map<string, EnroleePicture[]>;
  readonly left_out: LeftOut[];
}

/**
 * A folder with a folder (`3174001/front.jpg`) or a file (`3174001.jpg`) for each person. Files whose first bytes are those
 * of a picture are read whatever they are called, as are those that are called a picture. Links are followed
 * within the folder. Everything else is left out with its reason, as are copies, halves of downloads, names that devices give and what looks damaged by a spreadsheet, which are no user_ids.
 * @throws the file system's error when the folder cannot be read
 */
export async function peopleInFolder(
  folder: string,
  { personOf, maxBytes }: FolderReading,
): Promise<FolderPeople> {
  const top = await realpath(folder);
  const entries = await readdir(folder, { withFileTypes: true });
  const listing: Listing = { folder, top, maxBytes, pictures: new Map(), left_out: [] };
  for (const entry of entries.sort(byName)) {
    const { name } = entry;
    const isFile = !entry.isDirectory();
    const person = isFile ? basename(name, extname(name)) : name;
    const doubt = isFile && pictureNames.test(person) ? twoEndings : doubtOf(person, personOf);
    if (systemNames.test(name)) leaveOut(listing, name, systemEntry);
    else if (doubt !== null) leaveOut(listing, name, doubt, person);
    else if (isFile) await listFile(listing, person, name, entry);
    else await listPerson(listing, name);
  }
  const people = [...listing.pictures].map(([name, pictures]) => ({ ...personOf(name), pictures }));
  return { people, left_out: listing.left_out };
}

function doubtOf(person: string, personOf: FolderReading['personOf']): string | null {
  if (copyNames.test(plain(person))) return copied;
  const { user_id: userId } = personOf(person);
  if (isDeviceName(userId)) return ofDevice;
  const damage = damageOf(userId);
  return damage === null || damage === aDate ? null : damaged;
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
const systemEntry = 'it belongs to a system: a bin, thumbnails, or what is hidden';
const copied = 'its name is that of a copy, and no user_id; rename or remove it';
const ofDevice =
  'its name is one that a camera, a screen or a messenger gives, and no user_id; name it after the person';
const damaged = 'its name looks like a number that a spreadsheet has damaged; rename it';
const twoEndings =
  'its name has two endings, as downloads that are not complete have, and is no user_id; rename or remove it';
const nested = "it is a folder within a person's folder, and is not read; move its pictures up";
const linkedFolder = 'it is a link to a folder; links to pictures are followed, those to folders are not';

/**
 * Files and folders of systems, network storages and programs: bins, thumbnails, snapshots, indices, and what is hidden,
 * such as the halves of files (`._1.jpg`) that macOS leaves on other systems.
 */
const systemNames =
  /^(\..*|#recycle|#snapshot|@(eaDir|Recycle|Recently-Snapshot|sharebin|tmp|__thumb)|.*@Syno(EAStream|Resource)|\$RECYCLE\.BIN|RECYCLER|RECYCLED|System Volume Information|lost\+found|__MACOSX|Network Trash Folder|Temporary Items|Thumbs\.db.*|ehthumbs.*\.db|desktop\.ini|~\$.*|Icon\r|~snapshot)$/i;

/** Without marks of letters, in one width. */
const plain = (name: string) => name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
const copyWords = plain('copy|[ck]opi(a|ar|e|ja)?|salin(an)?|dupli(cate|kat)|shortcut|コピー|的?副本');
/**
 * As file managers name copies of files and folders: such a word before or after, set off, also with numbers and brackets, or a
 * number in brackets. A number behind a blank (`Budi 2`) may be a name.
 */
const copyNames = new RegExp(
  `^(${copyWords})\\s|\\P{L}(${copyWords})\\P{L}*$|[([]\\d+[)\\]]$|\\.(bak|tmp|old)$`,
  'iu',
);

/** What is meant as a picture, by its name or its first bytes; the server says of other formats that it does not read them. */
const pictureNames = /\.(jpe?g|jpe|jfif|png|webp|hei[cf]|avif|gif|bmp|tiff?)$/i;
const pictureHeads = /^(\xff\xd8\xff|\x89PNG|RIFF....WEBP|....ftyp(avi|he|mif1|msf1))/s;

async function listPerson(listing: Listing, person: string): Promise<void> {
  const entries = await readdir(join(listing.folder, person), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (!Array.isArray(entries)) {
    return leaveOut(listing, person, `the folder cannot be read (${entries})`, person);
  }
  let isEmpty = true;
  for (const entry of entries.sort(byName)) {
    const file = join(person, entry.name);
    if (systemNames.test(entry.name)) leaveOut(listing, file, systemEntry);
    else {
      if (entry.isDirectory()) leaveOut(listing, file, nested, person);
      else if (!(await listFile(listing, person, file, entry))) continue;
      isEmpty = false;
    }
  }
  if (isEmpty) leaveOut(listing, person, 'the folder has no picture', person);
}

/** @returns false for what is no picture and was not meant as one */
async function listFile(listing: Listing, person: string, file: string, entry: Dirent): Promise<boolean> {
  const { folder, top, maxBytes, pictures } = listing;
  const path = join(folder, file);
  if (entry.isSymbolicLink() && (await isFolder(path))) {
    leaveOut(listing, file, linkedFolder, person);
    return true;
  }
  // Where a link leads is looked at when it is read.
  const isMeant = pictureNames.test(entry.name) || entry.isSymbolicLink();
  if (!isMeant && !(await mayBePicture(path))) {
    leaveOut(listing, file, `it is no ${aPicture}`);
    return false;
  }
  const image = async () => {
    await requireInside(top, path);
    return readPicture(path, maxBytes);
  };
  pictures.set(person, [...(pictures.get(person) ?? []), { name: file, image }]);
  return true;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Whether a file begins as a picture does, or cannot be read: reading it says why. */
async function mayBePicture(path: string): Promise<boolean> {
  const head = await readHead(path, 12).catch(() => null);
  return head === null || pictureHeads.test(Buffer.from(head).toString('latin1'));
}

function leaveOut({ left_out }: Listing, file: string, reason: string, user_id?: string): void {
  left_out.push({ file, reason, ...(user_id !== undefined && { user_id }) });
}

/** Who fills the folder does not choose other files of the machine. @throws Error a sentence */
async function requireInside(top: string, path: string): Promise<void> {
  // What does not exist is refused when it is read.
  const real = await realpath(path).catch(() => null);
  if (real === null || real.startsWith(top.endsWith(sep) ? top : top + sep)) return;
  throw new Error('it is a link to a file outside the folder; copy the picture, or name it in a CSV file');
}
