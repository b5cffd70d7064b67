import { type EnrolOptions, type EnrolReport, enrolPeople } from './enrol-people.ts';
import type { Gallery } from './gallery.ts';
import { peopleInFolder } from './node/folder.ts';
import { type Enrolee, type LeftOut, limitPictures, namesOf } from './people.ts';

export { type FolderPeople, peopleInFolder } from './node/folder.ts';
export { readPicture, tooLarge } from './node/read-picture.ts';

export interface FolderOptions extends Omit<EnrolOptions, 'idsAsWritten'> {
  /** Pictures enrolled of a person at most, 1 to 50. Default 1. */
  readonly picturesPerPerson?: number;
  /** The person of a file or folder name. Default: the name is user_id, and user_name with `_` as spaces. */
  readonly personOf?: (name: string) => Pick<Enrolee, 'user_id' | 'user_name'>;
  /** Bytes of a picture at most; larger files are not read. Default 10 MiB, as servers have it. */
  readonly maxBytes?: number;
}

/** What `enrolFolder` did. */
export interface FolderReport extends EnrolReport {
  /** Files and folders that were not read, with the reason. */
  readonly left_out: readonly LeftOut[];
}

/**
 * Enrols a folder of pictures with a file (`3174001.jpg`) or a folder (`3174001/front.jpg`) for each person.
 * What is a picture its first bytes tell. People who are enrolled already are skipped. Bins, thumbnails and hidden files
 * of systems are no people: they are in `left_out`, as is every other file that is no picture.
 *
 * @throws as `enrolPeople`; the file system's error when the folder cannot be read
 * @example
 * const { count } = await enrolFolder(wajah.gallery('office'), 'staff');
 */
export async function enrolFolder(
  gallery: Gallery,
  folder: string,
  { picturesPerPerson = 1, personOf = namesOf, maxBytes = 10 * 2 ** 20, ...options }: FolderOptions = {},
): Promise<FolderReport> {
  const found = await peopleInFolder(folder, { personOf, maxBytes });
  const { people, left_out } = limitPictures(found.people, picturesPerPerson);
  return {
    // Names of files are no cells: those that look like dates are meant so.
    ...(await enrolPeople(gallery, people, { ...options, idsAsWritten: true })),
    left_out: [...found.left_out, ...left_out],
  };
}
