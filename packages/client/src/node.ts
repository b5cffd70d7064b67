import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type Enrolee, type EnrolOptions, type EnrolReport, enrolPeople } from './enrol-people.ts';
import type { Gallery } from './gallery.ts';

export interface FolderOptions extends EnrolOptions {
  /** Pictures enrolled of a person at most, 1 to 50. Default 1. */
  readonly picturesPerPerson?: number;
  /** The person of a file or folder name. Default: the name is user_id, and user_name with `_` as spaces. */
  readonly personOf?: (name: string) => { readonly user_id: string; readonly user_name: string };
}

/**
 * Enrols a folder of JPEG and PNG files with a file (`3174001.jpg`) or a folder (`3174001/front.jpg`) for each person.
 * People who are enrolled already are skipped.
 *
 * @throws as `enrolPeople`; the file system's error when the folder cannot be read
 * @example
 * const { count } = await enrolFolder(wajah.gallery('office'), 'staff');
 */
export async function enrolFolder(
  gallery: Gallery,
  folder: string,
  { picturesPerPerson = 1, personOf = byName, ...options }: FolderOptions = {},
): Promise<EnrolReport> {
  return enrolPeople(gallery, await peopleIn(folder, { picturesPerPerson, personOf }), options);
}

function byName(name: string) {
  return { user_id: name, user_name: name.replaceAll('_', ' ').trim() };
}

const isPicture = (name: string) => /\.(jpe?g|png)$/i.test(name) && !name.startsWith('.');
const byText = (a: string, b: string) => (a < b ? -1 : 1);

async function peopleIn(
  folder: string,
  { picturesPerPerson, personOf }: Required<Pick<FolderOptions, 'picturesPerPerson' | 'personOf'>>,
): Promise<Enrolee[]> {
  const files = new Map<string, string[]>();
  const add = (person: string, file: string) => files.set(person, [...(files.get(person) ?? []), file]);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !entry.name.startsWith('.')) {
      const inside = await readdir(join(folder, entry.name));
      for (const name of inside.filter(isPicture)) add(entry.name, join(entry.name, name));
    } else if (isPicture(entry.name)) {
      add(basename(entry.name, extname(entry.name)), entry.name);
    }
  }
  return [...files.keys()].sort(byText).map((person) => ({
    ...personOf(person),
    pictures: (files.get(person) ?? [])
      .sort(byText)
      .slice(0, picturesPerPerson)
      .map((name) => ({ name, image: { path: join(folder, name) } })),
  }));
}
