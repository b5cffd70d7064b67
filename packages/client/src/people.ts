import type { Picture } from './pictures.ts';
import { damaged, damageOf, isRounded, rounded, roundingOf } from './user-ids.ts';
import type { EnrolFaceRequest } from './wire.ts';

type Consent = Pick<
  EnrolFaceRequest,
  'consent_reference' | 'consent_purpose' | 'consent_given_at' | 'consent_until'
>;

export interface EnroleePicture {
  /** Where it comes from, for the report. */
  readonly name: string;
  /** A function reads it in its turn. @throws Error a sentence, when it cannot be read */
  readonly image: Picture | (() => Promise<Picture>);
}

/** A person to enrol, with the consent that the person gave. */
export interface Enrolee extends Consent {
  readonly user_id: string;
  /** Empty: it is not known, and the user_id is the name. */
  readonly user_name: string;
  readonly pictures: readonly EnroleePicture[];
  /** Where a list names the person, such as `line 4`. */
  readonly place?: string;
}

/** Why a picture was not enrolled that no server has refused. */
export type EnrolFault =
  | 'severalNames'
  | 'severalConsents'
  | 'damagedId'
  | 'otherFace'
  | 'samePicture'
  | 'unreadable';

/** A picture or person that is not enrolled, for a reason that no server gave. */
export class EnrolError extends Error {
  override readonly name = 'EnrolError';
  readonly code: EnrolFault;
  /** What was found, without what a program would set to take it. */
  readonly problem: string;
  constructor(code: EnrolFault, problem: string, options: ErrorOptions & { readonly remedy?: string } = {}) {
    const { remedy, ...others } = options;
    super(remedy === undefined ? problem : `${problem}; ${remedy}`, others);
    this.code = code;
    this.problem = problem;
  }
}

/** How the user_ids of a list are read. */
export interface IdReading {
  /** Takes user_ids that look damaged by a spreadsheet: they are meant so. */
  readonly idsAsWritten?: boolean;
}

/** A person of whom nobody is enrolled. */
export interface RefusedEnrolee {
  readonly person: Enrolee;
  readonly error: EnrolError;
}

/**
 * Joins what a list says of one user_id. Of a user_id with different names or consents nobody is taken, and none that a
 * spreadsheet has damaged: two people would become one. Upper and lower case and blanks of names make no difference.
 * @returns people with a user_id each, in the order of the list; rows without a name or consent have that of others
 */
export function groupPeople(
  listed: Iterable<Enrolee>,
  { idsAsWritten = false }: IdReading = {},
): { people: Enrolee[]; refused: RefusedEnrolee[] } {
  const groups = new Map<string, Enrolee[]>();
  for (const listedPerson of listed) {
    const row = {
      ...listedPerson,
      user_id: normalised(listedPerson.user_id),
      user_name: normalised(listedPerson.user_name),
    };
    const rows = groups.get(row.user_id);
    if (rows) rows.push(row);
    else groups.set(row.user_id, [row]);
  }
  const rounding = roundingOf(groups.keys());
  const people: Enrolee[] = [];
  const refused: RefusedEnrolee[] = [];
  for (const [user_id, rows] of groups) {
    const user_name = rows.find((row) => row.user_name !== '')?.user_name ?? user_id;
    const person = {
      ...(rows.find(consentOf) ?? rows[0]),
      user_id,
      user_name,
      pictures: rows.flatMap(({ pictures }) => pictures),
    };
    const damage = idsAsWritten ? null : (damageOf(user_id) ?? (isRounded(user_id) ? rounding : null));
    const error = faultOf(user_id, rows, damage);
    if (error) refused.push({ person, error });
    else people.push(person);
  }
  return { people, refused };
}

/** Files and folders that hold no picture that is enrolled. */
export interface LeftOut {
  readonly file: string;
  readonly reason: string;
  /** Whose picture it was meant to be; absent: nobody's. */
  readonly user_id?: string;
}

/** Takes the first pictures of each person. @param most pictures of a person, 1 to 50 */
export function limitPictures(
  people: readonly Enrolee[],
  most: number,
): { people: Enrolee[]; left_out: LeftOut[] } {
  const reason = `the person has more pictures than are taken (at most ${most})`;
  return {
    people: people.map((person) => ({ ...person, pictures: person.pictures.slice(0, most) })),
    left_out: people.flatMap(({ user_id, pictures }) =>
      pictures.slice(most).map(({ name }) => ({ file: name, reason, user_id })),
    ),
  };
}

/** A name as servers store and compare it. */
const normalised = (name: string) =>
  name
    .trim()
    .normalize('NFC')
    .replaceAll(/\p{Zs}/gu, ' ');
/** Names that differ by case and blanks only are one. */
const foldedName = (name: string) => name.toLowerCase().replaceAll(/\s+/g, ' ');

/** @example namesOf('Siti_Nur') // { user_id: 'Siti_Nur', user_name: 'Siti Nur' } */
export function namesOf(name: string): { readonly user_id: string; readonly user_name: string } {
  return { user_id: name, user_name: name.replaceAll('_', ' ').trim() };
}

/** Why a person is not the one who is enrolled under the user_id already; null: the names do not say so. */
export function otherPerson(enrolledName: string, { user_id, user_name }: Enrolee): EnrolError | null {
  // A name that is the id itself was not given.
  const names = [enrolledName, user_name].map(foldedName);
  const unnamed = foldedName(namesOf(user_id).user_name);
  if (names[0] === names[1] || names.some((name) => name === unnamed || name === foldedName(user_id)))
    return null;
  const both = `${JSON.stringify(enrolledName)}, and this is ${JSON.stringify(user_name)}`;
  return new EnrolError(
    'severalNames',
    `user_id ${JSON.stringify(user_id)} is enrolled already with the name ${both}; nothing was changed; give this person another id, or change the name of the enrolled one`,
  );
}

/** Names, or consents, that a sentence lists. */
const listedNames = 5;

/** In words; '': the row has none. */
const consentOf = ({ consent_reference, consent_purpose, consent_given_at, consent_until }: Enrolee) =>
  [consent_reference, consent_purpose, consent_given_at, consent_until].filter(Boolean).join(', ');

/** What rows say of one thing, with their places, where they differ. @returns '' where they do not */
function differing(rows: readonly Enrolee[], textOf: (row: Enrolee) => string): string {
  const texts = new Map<string, string>();
  for (const row of rows) {
    const [text, key] = [textOf(row), foldedName(textOf(row))];
    if (key !== '' && !texts.has(key))
      texts.set(key, JSON.stringify(text) + (row.place ? ` (${row.place})` : ''));
  }
  if (texts.size <= 1) return '';
  const others = texts.size > listedNames ? ` and ${texts.size - listedNames} others` : '';
  return [...texts.values()].slice(0, listedNames).join(', ') + others;
}

/** Why nobody is taken of a user_id. @param damage as what the id looks damaged */
function faultOf(userId: string, rows: readonly Enrolee[], damage: string | null): EnrolError | null {
  const id = `user_id ${JSON.stringify(userId)} has different`;
  const names = differing(rows, ({ user_name }) => user_name);
  if (names !== '') {
    const found = damage ?? (isRounded(userId) ? rounded : null);
    const advice = 'give each person an id of their own, or write the name of one person in one way';
    return new EnrolError(
      'severalNames',
      `${id} names: ${names}; none of them is enrolled; ${found === null ? advice : damaged(found)}`,
    );
  }
  if (damage !== null)
    return new EnrolError('damagedId', damaged(damage), {
      remedy: 'if the id is meant so, set idsAsWritten: true',
    });
  const consents = differing(rows, consentOf);
  if (consents === '') return null;
  const advice = 'nobody is enrolled; write the consent that holds in all rows, or in one';
  return new EnrolError('severalConsents', `${id} consents: ${consents}; ${advice}`);
}
