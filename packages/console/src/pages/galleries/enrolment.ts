import { effect } from '@preact/signals';
import type { EnrolFaceAnswer, EnrolFaceRequest } from '@wajah/client';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import type { PeopleTable } from '../../draw/people-csv.ts';
import { type Box, croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { idFor, type Named, namesOf, userIdOf } from '../../draw/user-id.ts';
import { askBeforeLeaving } from '../../state/leaving.ts';
import { type ApiError, asApiError, isAway, whileAway } from '../../state/request.ts';
import { keptSignal } from '../../state/session.ts';
import type { consentFields } from '../../ui/consent-input.tsx';
import { type Likeness, likenessIn } from '../../ui/looks-like.tsx';
import type { Taken } from './faces.tsx';

/** What is refused, and what is not. */
export interface Rules {
  /** IDs that are enrolled: by pictures of the same people. */
  readonly replace: boolean;
  readonly check_duplicate: boolean;
  readonly check_single_face: boolean;
  readonly force_register: boolean;
}

/** A person to enrol with the state of the enrolment. */
export interface Enrolee {
  readonly picture: Picture;
  readonly userId: string;
  readonly userName: string;
  /** Several pictures or rows of the CSV file have the name of this one: the file names nobody. */
  readonly unclear?: boolean | undefined;
  readonly state: 'waiting' | 'working' | 'enrolled' | 'failed';
  /** Refused, and changed since: it is sent again with those that wait. */
  readonly edited?: boolean;
  /** The face that somebody chose in a picture of several. */
  readonly face?: Box | undefined;
  /** What was decided about this one, until its name or ID is changed. */
  readonly lifted?: Lifted | undefined;
  readonly taken?: Taken | undefined;
  readonly error?: ApiError | undefined;
  /** Whom the refused face looks like, or who has the ID. */
  readonly likeness?: Likeness | undefined;
  /** The enrolled picture is unsharp, turned or badly lit: a second one helps. */
  readonly poor?: boolean;
  /** The person had this picture before. */
  readonly before?: boolean;
  /** The name of the enrolled person, until the picture replaced another. */
  readonly formerName?: string | undefined;
}

/** Rules that are lifted for a person, and what is done about whoever has the ID. */
export type Lifted = Partial<Omit<Rules, 'replace'>> & {
  readonly if_exists?: NonNullable<EnrolFaceRequest['if_exists']>;
  /** The enrolled person, who has this picture, takes the name. */
  readonly rename?: boolean;
};

type Lists = Readonly<Record<string, readonly Enrolee[]>>;

/** The list of each gallery: it stays while other pages are open. */
const lists = keptSignal<Lists>(
  {},
  (dropped) =>
    releasePictures(
      Object.values(dropped)
        .flat()
        .map(({ picture }) => picture),
    ),
  true,
);
/** The CSV files that name the pictures of a gallery. */
interface Table extends PeopleTable {
  /** Pictures that were taken off the list. */
  readonly dropped: readonly Picture[];
}

const tables = keptSignal<Readonly<Record<string, Table>>>({}, undefined, true);
/** People whom a gallery awaits: their names have their IDs. */
const awaited = keptSignal<Readonly<Record<string, readonly Named[]>>>({});
/** The gallery whose list is being sent, and what stops it. */
const running = keptSignal<{ readonly gallery: string; readonly stop: AbortController } | null>(
  null,
  (dropped) => dropped?.stop.abort(),
);

effect(() => {
  const waits = Object.values(lists.value).some((list) => list.some(({ state }) => state === 'waiting'));
  return running.value || waits ? askBeforeLeaving() : undefined;
});

export const listOf = (gallery: string): readonly Enrolee[] => lists.value[gallery] ?? [];
export const tableOf = (gallery: string): Table | undefined => tables.value[gallery];
export const awaitedOf = (gallery: string): readonly Named[] => awaited.value[gallery] ?? [];
export const isRunning = (gallery: string): boolean => running.value?.gallery === gallery;

function put(gallery: string, list: readonly Enrolee[]): void {
  lists.value = { ...lists.value, [gallery]: list };
}

export function addPictures(gallery: string, pictures: readonly Picture[]): void {
  const list = listOf(gallery);
  const former = list.map(({ picture }) => picture);
  const before = namesIn(gallery, former);
  const after = namesIn(gallery, [...former, ...pictures]);
  const added = pictures.map((picture) => ({ picture, state: 'waiting', ...after(picture) }) as const);
  // A picture of the same name may be the one that the CSV file means.
  const withdrawn = (one: Enrolee) =>
    (one.state === 'waiting' || one.state === 'failed') &&
    !one.unclear &&
    one.userId === before(one.picture).userId &&
    after(one.picture).unclear;
  put(gallery, [...list.map((one) => (withdrawn(one) ? renewed(one, after(one.picture)) : one)), ...added]);
}

const renewed = ({ picture }: Enrolee, named: Naming): Enrolee => ({ picture, state: 'waiting', ...named });

/**
 * Names the pictures of a gallery by CSV files, also those that follow.
 * @param beside names of pictures that follow at once
 * @returns the files that name none
 */
export async function addTables(
  gallery: string,
  files: readonly File[],
  beside: readonly string[],
): Promise<readonly File[]> {
  const { peopleIn } = await import('../../draw/people-csv.ts');
  const lists = await Promise.all(files.map((file) => file.arrayBuffer()));
  const waiting = listOf(gallery).flatMap(({ state, picture }) => (state === 'waiting' ? picture.name : []));
  const table = peopleIn(lists, [...beside, ...waiting]);
  const others = table.unused.flatMap((at) => files[at] ?? []);
  if (others.length === files.length) return others;
  tables.value = { ...tables.value, [gallery]: { ...table, dropped: [] } };
  const list = listOf(gallery);
  const named = namesIn(
    gallery,
    list.map(({ picture }) => picture),
  );
  put(
    gallery,
    list.map((one) => (one.state === 'waiting' ? { ...one, ...named(one.picture) } : one)),
  );
  return others;
}

/** Whom a gallery awaits is known: pictures that have their names get their IDs. */
export function awaitPeople(gallery: string, people: readonly Named[]): void {
  awaited.value = { ...awaited.value, [gallery]: people };
  if (tableOf(gallery)) return;
  put(
    gallery,
    listOf(gallery).map((one) => {
      const follows = one.state === 'waiting' && one.userId === userIdOf(one.userName);
      return follows ? { ...one, userId: idFor(one.userName, people) } : one;
    }),
  );
}

type Naming = Pick<Enrolee, 'userId' | 'userName' | 'lifted' | 'unclear'>;

/** Names and IDs of pictures: from the CSV file, which may leave one without; where there is none, from the names of the files. */
function namesIn(gallery: string, pictures: readonly Picture[]): (picture: Picture) => Naming {
  const table = tableOf(gallery);
  if (!table) return (picture) => namedByFile(gallery, picture);
  const given = [...pictures, ...table.dropped];
  const { listed } = table.match(given);
  const by = new Map(given.map((picture, at) => [picture, listed[at]]));
  return (picture) => {
    const { person: { userId = '', userName = '', further = false } = {}, unclear } = by.get(picture) ?? {};
    return { userId, userName, unclear, lifted: further ? { if_exists: 'append' } : undefined };
  };
}

function namedByFile(gallery: string, { name }: Picture): Naming {
  const named = namesOf(name);
  const isMade = named.userId === userIdOf(named.userName);
  return isMade ? { ...named, userId: idFor(named.userName, awaitedOf(gallery)) } : named;
}

export function change(gallery: string, picture: Picture, changes: Partial<Enrolee>): void {
  put(
    gallery,
    listOf(gallery).map((one) => (one.picture === picture ? { ...one, ...changes } : one)),
  );
}

/** @param picture undefined: all */
export function drop(gallery: string, picture?: Picture): void {
  const goes = (one: Enrolee) => picture === undefined || one.picture === picture;
  const list = listOf(gallery);
  releasePictures(list.filter(goes).map((one) => one.picture));
  const { [gallery]: table, ...others } = tables.value;
  if (table)
    tables.value = picture
      ? { ...others, [gallery]: { ...table, dropped: [...table.dropped, picture] } }
      : others;
  put(
    gallery,
    list.filter((one) => !goes(one)),
  );
}

export function stop(): void {
  running.value?.stop.abort();
  running.value = null;
}

/** Whether the person is enrolled with the others: not one who was refused, and is as before. */
export function isReady(enrolee: Enrolee): boolean {
  const { state, edited } = enrolee;
  return (state === 'waiting' || (state === 'failed' && edited === true)) && isNamed(enrolee);
}

/** Whether name and ID are known. */
export function isNamed({ userId, userName }: Enrolee): boolean {
  return userId.trim() !== '' && userName.trim() !== '';
}

/** Enrols those of a list, one after another. */
export async function run(
  into: EnrolmentGallery,
  { replace, ...rules }: EnrolmentRules,
  chosen: (one: Enrolee) => boolean = isReady,
): Promise<void> {
  const { facegallery_id: gallery } = into;
  const controller = new AbortController();
  const if_exists = replace ? 'replace_same' : 'refuse';
  running.value = { gallery, stop: controller };
  for (const { picture } of listOf(gallery).filter(chosen)) {
    // Its name may have been changed, or it was taken off the list meanwhile.
    const enrolee = listOf(gallery).find((one) => one.picture === picture);
    if (controller.signal.aborted || !enrolee || !isNamed(enrolee)) continue;
    const afresh = { edited: false, error: undefined, likeness: undefined, before: false };
    change(gallery, picture, { state: 'working', ...afresh });
    const options = { ...rules, if_exists, ...enrolee.lifted } as const;
    const send = () => enrol(into, enrolee, options, controller.signal);
    let outcome = await send();
    // Whom a server that is away has not answered, it has not refused.
    while (outcome.error && isAway(outcome.error)) {
      change(gallery, picture, { error: outcome.error });
      await whileAway(controller.signal);
      outcome = await send();
    }
    change(gallery, picture, { error: undefined, ...outcome });
  }
  if (!controller.signal.aborted) running.value = null;
}

async function enrol(
  { facegallery_id: gallery, keep_crops: keepsFaces }: EnrolmentGallery,
  { picture, userId, userName, face: chosen }: Enrolee,
  { rename, ...options }: Omit<EnrolmentRules, 'replace'> & Lifted,
  signal: AbortSignal,
): Promise<Partial<Enrolee>> {
  const of = { facegallery_id: gallery, user_id: userId };
  const cut = chosen && !rename && (await croppedPicture(picture, chosen));
  const send = async (how?: Partial<EnrolFaceRequest>) => {
    const person = { ...of, user_name: userName, image: (cut || picture).blob };
    return enrolled(
      await wajah.enrolFace({ ...person, ...options, ...how, details: true }, { signal }),
      chosen,
    );
  };
  try {
    if (rename) {
      await wajah.updateFace({ ...of, user_name: userName }, { signal });
      return { state: 'enrolled' };
    }
    try {
      return await send();
    } catch (error) {
      const answer = (asApiError(error).answer ?? {}) as unknown as EnrolFaceAnswer;
      if (!answer.same_picture || answer.former_name !== undefined) throw error;
      if (keepsFaces && !(await wajah.describeFace(of, { signal })).has_crop)
        return await send({ if_exists: 'append', check_duplicate: false });
      return enrolled(answer, chosen);
    }
  } catch (error) {
    if (signal.aborted) return { state: 'waiting' };
    const refused = asApiError(error);
    const likeness = likenessIn(refused, userId, options.if_exists === 'replace_same');
    return { state: 'failed', error: refused, likeness };
  } finally {
    if (cut) releasePictures([cut]);
  }
}

/** Quality rules that say how well a face is recognised. */
const telling = new Set(['sharpness', 'brightness', 'contrast', 'pose']);

function enrolled(answer: EnrolFaceAnswer, chosen: Box | undefined): Partial<Enrolee> {
  const { face, found, same_picture: before = false, former_name: formerName } = answer;
  const taken = chosen ? { box: chosen, found: 1 } : { box: face!.box, found: found! };
  const poor = face?.quality?.some(({ rule, ok }) => !ok && telling.has(rule));
  return { state: 'enrolled', taken, before, formerName, poor: poor === true };
}

/** What enrols a refused person in spite of the rule; undefined: nothing does. */
export function liftedFor({ error }: Enrolee): Lifted | undefined {
  const { error: code } = (error?.answer ?? {}) as { error?: string };
  if (code === 'tooManyPictures') return { if_exists: 'replace_same' };
  if (code === 'unclear' || error?.status === '413') return { force_register: true };
  return error?.status === '414' ? { check_single_face: false } : undefined;
}

/** Faces in the picture of somebody who is enrolled or was refused; 1 where nothing is known of others. */
export function facesIn({ taken, error }: Enrolee): number {
  const answer = (error?.answer ?? {}) as {
    found?: number;
    params?: { found?: number; face?: { params?: { found?: number } } };
  };
  const { found, params } = answer;
  return taken?.found ?? found ?? params?.found ?? params?.face?.params?.found ?? 1;
}

/** Those of a list of whom the same is to be decided. */
export interface Group {
  /** `alike`: each is a question; `renamed`: another name was replaced; `before`: the person had this picture; `several`: one face of several was enrolled; `poor`: a second picture helps; `waiting`; `enrolled`; else the code of the refusal. */
  readonly kind: string;
  readonly members: readonly Enrolee[];
}

const settledKinds = ['renamed', 'several', 'poor', 'waiting', 'before', 'enrolled'];

/** A list by what is left to decide: the refused by their reasons first, the enrolled last. */
export function groupsOf(list: readonly Enrolee[]): readonly Group[] {
  const place = (kind: string) => settledKinds.indexOf(kind);
  const kinds = list.map(kindOf);
  return [...new Set(kinds)]
    .map((kind) => ({ kind, members: list.filter((_, at) => kinds[at] === kind) }))
    .sort((a, b) => place(a.kind) - place(b.kind) || b.members.length - a.members.length);
}

function kindOf(one: Enrolee): string {
  if (one.state === 'failed') {
    const { error } = (one.error?.answer ?? {}) as { error?: string };
    return one.likeness && !one.likeness.taken ? 'alike' : (error ?? one.error?.status ?? '');
  }
  if (one.state !== 'enrolled') return 'waiting';
  if (one.before) return 'before';
  if (one.formerName) return 'renamed';
  if (one.face || facesIn(one) > 1) return 'several';
  return one.poor ? 'poor' : 'enrolled';
}

/** A name is typed: the ID follows it until it is edited itself. */
export function renamed(
  { userName, userId }: Enrolee,
  typed: string,
  listed: readonly Named[],
): Partial<Enrolee> {
  const follows = userId === idFor(userName, listed);
  return { userName: typed, ...(follows && { userId: idFor(typed, listed) }) };
}

export type EnrolmentRules = Rules & ReturnType<typeof consentFields>;
export type EnrolmentGallery = Pick<
  Gallery,
  'facegallery_id' | 'keep_crops' | 'minimum_face' | 'require_consent'
>;
