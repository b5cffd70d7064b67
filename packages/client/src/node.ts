import { open, readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type Enrolee, type EnrolOptions, type EnrolReport, enrolPeople } from './enrol-people.ts';
import type { Gallery } from './gallery.ts';

export interface FolderOptions extends EnrolOptions {
  /** Pictures enrolled of a person at most, 1 to 50. Default 1. */
  readonly picturesPerPerson?: number;
  /** The person of a file or folder name. Default: the name is user_id, and user_name with `_` as spaces. */
  readonly personOf?: (name: string) => { readonly user_id: string; readonly user_name: string };
}

/** What `enrolFolder` did. */
export interface FolderReport extends EnrolReport {
  /** Files and folders that were not read, with the reason. */
  readonly left_out: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Enrols a folder of JPEG and PNG files with a file (`3174001.jpg`) or a folder (`3174001/front.jpg`) for each person.
 * What is a picture its first bytes tell. People who are enrolled already are skipped. Bins, thumbnails and hidden files
 * of systems are no people: they are in `left_out`, as is every other file that is no JPEG or PNG.
 *
 * @throws as `enrolPeople`; the file system's error when the folder cannot be read
 * @example
 * const { count } = await enrolFolder(wajah.gallery('office'), 'staff');
 */
export async function enrolFolder(
  gallery: Gallery,
  folder: string,
  { picturesPerPerson = 1, personOf = byName, ...options }: FolderOptions = {},
): Promise<FolderReport> {
  const { people, left_out } = await peopleIn(folder, { picturesPerPerson, personOf });
  return { ...(await enrolPeople(gallery, people, options)), left_out };
}

function byName(name: string) {
  return { user_id: name, user_name: name.replaceAll('_', ' ').trim() };
}

/** Files and folders of systems, network storages and programs. */
const systemNames =
  /^(\..*|#recycle|#snapshot|@(eaDir|Recycle|Recently-Snapshot|sharebin|tmp|__thumb)|.*@Syno(EAStream|Resource)|\$RECYCLE\.BIN|RECYCLER|RECYCLED|System Volume Information|lost\+found|__MACOSX|Network Trash Folder|Temporary Items|Thumbs\.db.*|ehthumbs.*\.db|desktop\.ini|Icon\r|~snapshot)$/i;

const byText = (a: string, b: string) => (a < b ? -1 : 1);

async function peopleIn(
  folder: string,
  { picturesPerPerson, personOf }: Required<Pick<FolderOptions, 'picturesPerPerson' | 'personOf'>>,
): Promise<{ people: Enrolee[]; left_out: FolderReport['left_out'][number][] }> {
  const files = new Map<string, string[]>();
  const left_out: FolderReport['left_out'][number][] = [];
  const add = async (person: string, file: string) => {
    const reason = await whyNoPicture(folder, file);
    if (reason !== null) left_out.push({ file, reason });
    else files.set(person, [...(files.get(person) ?? []), file]);
  };
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || systemNames.test(entry.name)) {
      await add(basename(entry.name, extname(entry.name)), entry.name);
      continue;
    }
    const inside = await readdir(join(folder, entry.name));
    if (inside.length === 0) left_out.push({ file: entry.name, reason: 'the folder is empty' });
    for (const name of inside) await add(entry.name, join(entry.name, name));
  }
  const people = [...files.keys()].sort(byText).map((person) => {
    const sorted = (files.get(person) ?? []).sort(byText);
    for (const file of sorted.slice(picturesPerPerson))
      left_out.push({
        file,
        reason: `the person has more pictures than picturesPerPerson (${picturesPerPerson})`,
      });
    const taken = sorted.slice(0, picturesPerPerson);
    return {
      ...personOf(person),
      pictures: taken.map((name) => ({ name, image: { path: join(folder, name) } })),
    };
  });
  return { people, left_out };
}

/** @returns why a file or folder is left out; null for a picture, and for a file that is called one: the server says why not */
async function whyNoPicture(folder: string, file: string): Promise<string | null> {
  if (systemNames.test(basename(file))) return 'it belongs to a system: a bin, thumbnails, or what is hidden';
  const path = join(folder, file);
  try {
    if (!(await stat(path)).isFile()) return 'it is a folder or a device; files are read';
    if (/\.(jpe?g|jpe|jfif|png)$/i.test(file)) return null;
    const handle = await open(path);
    try {
      const { buffer } = await handle.read(new Uint8Array(4), 0, 4, 0);
      const [a, b, c, d] = buffer;
      const isJpeg = a === 0xff && b === 0xd8 && c === 0xff;
      const isPng = a === 0x89 && b === 0x50 && c === 0x4e && d === 0x47;
      return isJpeg || isPng ? null : 'it is neither a JPEG nor a PNG picture';
    } finally {
      await handle.close();
    }
  } catch (error) {
    return `it cannot be read (${(error as { code?: string }).code})`;
  }
}
