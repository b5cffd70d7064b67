import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { maxTemplates, nameProblem, normaliseName } from '@wajah/contract';
import { wordsOf } from '@wajah/contract/refusals';
import type { FaceCrop } from '@wajah/engine';
import type { PersonTermsText } from '@wajah/server/commands';

/** A picture of a person, read when its turn comes. */
export interface ImportPicture {
  /** Where it comes from, for the report. */
  readonly file: string;
  /** @throws Error why it cannot be read */
  read(): Promise<Uint8Array>;
  /** Of an export: the template, of the embedding spec of the source, and the crop that was kept of the picture. */
  readonly exported?: ExportedFace;
}

export interface ExportedFace {
  readonly template: Float32Array | null;
  readonly crop: FaceCrop | null;
}

export interface ImportPerson {
  readonly userId: string;
  readonly userName: string;
  readonly pictures: readonly ImportPicture[];
  /** Consent of a CSV file; consent and end of retention of an export. */
  readonly terms?: PersonTermsText | undefined;
}

/**
 * `enrolled`, in place of earlier templates where people are replaced; `skipped`: the person is enrolled already; `duplicate`: the
 * face looks like that of another user_id, and this person was not enrolled; `refused` for a reason; `valid`: it would be
 * enrolled, in a dry run.
 */
export type ImportStatus = 'enrolled' | 'skipped' | 'duplicate' | 'refused' | 'valid';

/** What became of one picture. */
export interface ImportOutcome {
  readonly person: string;
  readonly file: string;
  readonly status: ImportStatus;
  /** Empty where there is nothing to say. */
  readonly reason: string;
}

/** People to import, in the order of the source. */
export interface ImportSource {
  readonly people: Iterable<ImportPerson> | AsyncIterable<ImportPerson>;
  /** Pictures of these people. */
  readonly total: number;
  /** Embedding spec (JSON) of exported templates; absent: pictures are analysed. */
  readonly embeddingSpec?: string;
  /** Pictures that are left out before any is read. */
  readonly refused: readonly ImportOutcome[];
  close(): Promise<void>;
}

/** The people of an export with other templates. @param convert makes one of an exported one */
export async function* withTemplates(
  people: ImportSource['people'],
  convert: (template: Float32Array) => Float32Array,
): AsyncGenerator<ImportPerson> {
  for await (const person of people) {
    const pictures = person.pictures.map(({ exported, ...picture }) => ({
      ...picture,
      ...(exported && {
        exported: { ...exported, template: exported.template && convert(exported.template) },
      }),
    }));
    yield { ...person, pictures };
  }
}

/** A picture and the names of its person, as a source lists them. */
export interface ListedPicture extends ImportPicture {
  readonly userId: string;
  readonly userName: string;
  /** Of the person, where the source has them; those of the first picture count. */
  readonly terms?: PersonTermsText | undefined;
}

/**
 * Groups pictures by person. Names are normalised as a request's.
 * @param perPerson pictures of a person at most, 1…`maxTemplates`; further ones are left out
 */
export function peopleOf(
  listed: Iterable<ListedPicture>,
  perPerson: number = maxTemplates,
): Pick<ImportSource, 'people' | 'total' | 'refused'> {
  const people = new Map<string, ImportPerson & { pictures: ImportPicture[] }>();
  const refused: ImportOutcome[] = [];
  for (const { userId: given, userName: name, file, read, terms } of listed) {
    const [userId, userName] = [normaliseName(given), normaliseName(name)];
    const reason = problemOf('user_id', userId) ?? problemOf('user_name', userName);
    if (reason !== null) {
      refused.push({ person: userId, file, status: 'refused', reason });
      continue;
    }
    const person = people.get(userId) ?? { userId, userName, pictures: [], terms };
    people.set(userId, person);
    if (person.pictures.length < perPerson) person.pictures.push({ file, read });
    else refused.push({ person: userId, file, status: 'refused', reason: tooMany(perPerson) });
  }
  const total = [...people.values()].reduce((sum, { pictures }) => sum + pictures.length, 0);
  return { people: people.values(), total, refused };
}

const tooMany = (most: number) => `the person has more pictures than are imported (at most ${most})`;

function problemOf(field: string, name: string): string | null {
  if (name === '') return `${field}: it is empty`;
  const problem = nameProblem(name);
  return problem === null ? null : `${field}: ${wordsOf(problem)}`;
}

/** @example namesOf('Siti_Nur') // { userId: 'Siti_Nur', userName: 'Siti Nur' } */
export function namesOf(name: string): { userId: string; userName: string } {
  return { userId: name, userName: name.replaceAll('_', ' ') };
}

/** Whether a file is taken for a picture, by its name. */
export const isPictureName = (name: string) => /\.(jpe?g|png)$/i.test(name) && !name.startsWith('.');

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
