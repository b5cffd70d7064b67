import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type EnrolOptions, type EnrolReport, enrolPeople, type Newcomer } from './enrol-people.ts';
import type { Gallery } from './gallery.ts';

export interface FolderOptions extends EnrolOptions {
  /** Pictures that are enrolled of a person at most, 1 to 5. Default 1. */
  readonly picturesPerPerson?: number;
  /** Who a file or folder shows. Default: its name is the user_id, and with `_` as spaces the user_name. */
  readonly personOf?: (name: string) => { readonly user_id: string; readonly user_name: string };
}

/**
 * Enrols a folder of JPEG and PNG files: a file (`3174001.jpg`) or a folder of files (`3174001/front.jpg`) for each
 * person. Who is enrolled already is skipped.
 *
 * @throws as `enrolPeople`, and the error of the file system when the folder cannot be read
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

type Plan = Required<Pick<FolderOptions, 'picturesPerPerson' | 'personOf'>>;

async function peopleIn(folder: string, { picturesPerPerson, personOf }: Plan): Promise<Newcomer[]> {
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
