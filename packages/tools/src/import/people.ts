import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { maxTemplates, nameProblem, normaliseName } from '@wajah/contract';
import { wordsOf } from '@wajah/contract/refusals';
import type { FaceCrop } from '@wajah/engine';
import type { PersonTermsText } from '@wajah/server/commands';
import { damageOf, isRounded, roundedBySpreadsheet, roundingOf } from './user-ids.ts';

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
 * face looks like that of another user_id, and this person was not enrolled; `refused` for a reason; `ignored`: it is no
 * picture of a person; `valid`: it would be enrolled, in a dry run.
 */
export type ImportStatus = 'enrolled' | 'skipped' | 'duplicate' | 'refused' | 'ignored' | 'valid';

/** What became of one picture. */
export interface ImportOutcome {
  readonly person: string;
  readonly file: string;
  readonly status: ImportStatus;
  /** Empty where there is nothing to say. */
  readonly reason: string;
  /** The reason without the values of this picture, by which pictures are counted; absent: the reason. */
  readonly kind?: string | undefined;
  /** The user_name, where there is one. */
  readonly name?: string | undefined;
}

/** People to import, in the order of the source. */
export interface ImportSource {
  readonly people: Iterable<ImportPerson> | AsyncIterable<ImportPerson>;
  /** Pictures of these people. */
  readonly total: number;
  /** Embedding spec (JSON) of exported templates; absent: pictures are analysed. */
  readonly embeddingSpec?: string;
  /** Pictures that are left out before any is read, and what is no picture. */
  readonly refused: readonly ImportOutcome[];
  /** How the source is read, where that is to be said. */
  readonly note?: string | undefined;
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
  /** Empty: the source names nobody, and the user_id is the name. */
  readonly userName: string;
  /** Where the source names the person, such as `line 4`. */
  readonly place?: string;
  /** Of the person, where the source has them; those of the first picture count. */
  readonly terms?: PersonTermsText | undefined;
}

/**
 * Groups pictures by person. Names are normalised as a request's. Of a user_id with different names nobody is taken, and
 * none that a spreadsheet has damaged: two people would become one.
 * @param perPerson pictures of a person at most, 1…`maxTemplates`; further ones are left out
 */
export function peopleOf(
  listed: Iterable<ListedPicture>,
  perPerson: number = maxTemplates,
): Pick<ImportSource, 'people' | 'total' | 'refused'> {
  const groups = new Map<string, ListedPicture[]>();
  const refused: ImportOutcome[] = [];
  for (const given of listed) {
    const picture = {
      ...given,
      userId: normaliseName(given.userId),
      userName: normaliseName(given.userName),
    };
    const { userId, userName, file } = picture;
    const reason = problemOf('user_id', userId) ?? problemOf('user_name', userName || userId);
    if (reason !== null) {
      refused.push({ person: userId, file, status: 'refused', reason, kind: notAName, name: userName });
      continue;
    }
    const group = groups.get(userId);
    if (group) group.push(picture);
    else groups.set(userId, [picture]);
  }
  const rounding = roundingOf(groups.keys());
  const people: ImportPerson[] = [];
  for (const [userId, pictures] of groups) {
    const fault = faultOf(userId, pictures, rounding);
    const left = fault ? pictures : pictures.slice(perPerson);
    const { reason, kind } = fault ?? { reason: tooMany(perPerson), kind: tooMany(perPerson) };
    for (const { file, userName: name } of left)
      refused.push({ person: userId, file, status: 'refused', reason, kind, name });
    if (fault) continue;
    const userName = pictures.find((one) => one.userName !== '')?.userName ?? userId;
    const taken = pictures.slice(0, perPerson).map(({ file, read }) => ({ file, read }));
    people.push({ userId, userName, pictures: taken, terms: pictures[0]?.terms });
  }
  const total = people.reduce((sum, { pictures }) => sum + pictures.length, 0);
  return { people, total, refused };
}

/** Names that differ by case and blanks only are one. */
const foldedName = (name: string) => name.toLowerCase().replaceAll(/\s+/g, ' ');

/** Why a person is not the one who is enrolled under the user_id already; null: the names do not say so. */
export function otherPerson(enrolledName: string, { userId, userName }: ImportPerson): string | null {
  // A name that is the id itself was not given.
  const names = [enrolledName, userName].map(foldedName);
  const unnamed = foldedName(namesOf(userId).userName);
  if (names[0] === names[1] || names.some((name) => name === unnamed || name === foldedName(userId)))
    return null;
  const both = `${JSON.stringify(enrolledName)}, and this is ${JSON.stringify(userName)}`;
  return `user_id ${JSON.stringify(userId)} is enrolled already with the name ${both}; nothing was changed; give this person another id, or change the name of the enrolled one`;
}

/** The kind of outcomes of several people under one user_id. */
export const severalNames = 'different names under one user_id';

const notAName = 'the user_id or user_name is not allowed';
/** Names that a sentence lists. */
const listedNames = 5;

/** Why nobody is taken of a user_id. @param rounding says so of the ids of the source that end in zeros */
function faultOf(userId: string, pictures: readonly ListedPicture[], rounding: string | null) {
  const names = new Map<string, string>();
  for (const { userName: name, place } of pictures) {
    const folded = foldedName(name);
    if (folded !== '' && !names.has(folded))
      names.set(folded, JSON.stringify(name) + (place ? ` (${place})` : ''));
  }
  const isShared = names.size > 1;
  const rounded = isRounded(userId) && isShared ? roundedBySpreadsheet : isRounded(userId) ? rounding : null;
  const damage = damageOf(userId) ?? rounded;
  if (!isShared) return damage === null ? null : { reason: damage, kind: damaged };
  const listed = [...names.values()].slice(0, listedNames).join(', ');
  const others = names.size > listedNames ? ` and ${names.size - listedNames} others` : '';
  const shared = `user_id ${JSON.stringify(userId)} has different names: ${listed}${others}; none of them is enrolled`;
  const advice = damage ?? 'give each person an id of their own, or write the name of one person in one way';
  return { reason: `${shared}; ${advice}`, kind: severalNames };
}

const damaged = 'the user_id looks damaged by a spreadsheet';

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

/**
 * Files and folders of systems, network storages and programs: bins, thumbnails, snapshots, indices, and what is hidden,
 * such as the halves of files (`._1.jpg`) that macOS leaves on other systems.
 */
const systemNames =
  /^(\..*|#recycle|#snapshot|@(eaDir|Recycle|Recently-Snapshot|sharebin|tmp|__thumb)|.*@Syno(EAStream|Resource)|\$RECYCLE\.BIN|RECYCLER|RECYCLED|System Volume Information|lost\+found|__MACOSX|Network Trash Folder|Temporary Items|Thumbs\.db.*|ehthumbs.*\.db|desktop\.ini|Icon\r|~snapshot)$/i;

/** Whether a file is meant as a picture, by its name. */
export const isPictureName = (name: string) => /\.(jpe?g|jpe|jfif|png|webp|hei[cf]|avif)$/i.test(name);

/** Whether a file or folder belongs to a system and holds nobody's pictures. */
export const isSystemName = (name: string) => systemNames.test(name);

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

/** Bytes that tell what a file is. */
const headBytes = 1024;

/** The first bytes of a file. @throws Error as `readPicture` */
export function readHead(path: string): Promise<Uint8Array> {
  return readFrom(path, async (file) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  });
}

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
  return `the file cannot be read (${code})`;
}

/** In words, for a sentence about something that is no file. */
function kindOf(found: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket'>): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** The kind of outcomes of pictures that cannot be read. */
export const unreadable = 'the picture cannot be read';

export const tooLarge = (bytes: number, maxBytes: number) =>
  `the picture is ${bytes} bytes, at most ${maxBytes} are allowed`;
