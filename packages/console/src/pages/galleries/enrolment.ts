import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Box, croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { userIdOf } from '../../draw/user-id.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { keptSignal } from '../../state/session.ts';
import type { ConsentFields } from '../../ui/consent-input.tsx';
import { type Likeness, likenessIn } from '../../ui/looks-like.tsx';
import type { Taken } from './faces.tsx';

/** What is refused, and what is not. */
export interface Rules {
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
  readonly state: 'waiting' | 'working' | 'enrolled' | 'failed';
  /** The face that somebody chose in a picture of several. */
  readonly face?: Box | undefined;
  /** What was decided about this one, until its name or ID is changed. */
  readonly lifted?: Lifted | undefined;
  readonly taken?: Taken | undefined;
  readonly error?: ApiError | undefined;
  /** Whom the refused face looks like, or who has the ID. */
  readonly likeness?: Likeness | undefined;
}

/** Rules that are lifted for a person, or that the picture is added to those of an enrolled one. */
export type Lifted = Partial<Rules> & { readonly append?: boolean };

type Lists = Readonly<Record<string, readonly Enrolee[]>>;

/** The list of each gallery: it stays while other pages are open. */
const lists = keptSignal<Lists>({}, (dropped) =>
  releasePictures(
    Object.values(dropped)
      .flat()
      .map(({ picture }) => picture),
  ),
);
/** The gallery whose list is being sent, and what stops it. */
const running = keptSignal<{ readonly gallery: string; readonly stop: AbortController } | null>(
  null,
  (dropped) => dropped?.stop.abort(),
);

export const listOf = (gallery: string): readonly Enrolee[] => lists.value[gallery] ?? [];
export const isRunning = (gallery: string): boolean => running.value?.gallery === gallery;

function put(gallery: string, list: readonly Enrolee[]): void {
  lists.value = { ...lists.value, [gallery]: list };
}

export function addPictures(gallery: string, pictures: readonly Picture[]): void {
  put(gallery, [...listOf(gallery), ...pictures.map(enroleeFrom)]);
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
  put(
    gallery,
    list.filter((one) => !goes(one)),
  );
}

export function stop(): void {
  running.value?.stop.abort();
  running.value = null;
}

/** Whether the person can be enrolled now. */
export function isReady({ userId, userName, state }: Enrolee): boolean {
  return (state === 'waiting' || state === 'failed') && userId.trim() !== '' && userName.trim() !== '';
}

/** Enrols those of a list, one after another. */
export async function run(
  gallery: string,
  rules: Rules & Partial<ConsentFields>,
  chosen: (one: Enrolee) => boolean = isReady,
): Promise<void> {
  const controller = new AbortController();
  running.value = { gallery, stop: controller };
  for (const { picture } of listOf(gallery).filter(chosen)) {
    // Its name may have been changed, or it was taken off the list meanwhile.
    const enrolee = listOf(gallery).find((one) => one.picture === picture);
    if (controller.signal.aborted || !enrolee) continue;
    change(gallery, picture, { state: 'working', error: undefined, likeness: undefined });
    change(gallery, picture, await enrol(gallery, enrolee, rules, controller.signal));
  }
  if (!controller.signal.aborted) running.value = null;
}

async function enrol(
  gallery: string,
  { picture, userId, userName, face: chosen, lifted }: Enrolee,
  rules: Rules & Partial<ConsentFields>,
  signal: AbortSignal,
): Promise<Partial<Enrolee>> {
  const cut = chosen && (await croppedPicture(picture, chosen));
  try {
    const image = (cut ?? picture).blob;
    const person = { facegallery_id: gallery, user_id: userId, user_name: userName, image };
    const options = { ...rules, ...lifted, details: true };
    const { face, found } = await wajah.enrolFace({ ...person, ...options }, { signal });
    return {
      state: 'enrolled',
      taken: chosen ? { box: chosen, found: 1 } : { box: face!.box, found: found! },
    };
  } catch (error) {
    if (signal.aborted) return { state: 'waiting' };
    const refused = asApiError(error);
    return { state: 'failed', error: refused, likeness: likenessIn(refused, userId) };
  } finally {
    if (cut) releasePictures([cut]);
  }
}

/** What enrols a refused person in spite of the rule; undefined: nothing does. */
export function liftedFor({ error }: Enrolee): Lifted | undefined {
  const { error: code } = (error?.answer ?? {}) as { error?: string };
  if (code === 'tooManyPictures') return { append: false, replace: true };
  if (error?.status === '413') return { force_register: true };
  return error?.status === '414' ? { check_single_face: false } : undefined;
}

const order = ['failed', 'working', 'waiting', 'enrolled'] as const;

/** The refused ones first: they are what is left to do. */
export function sorted(list: readonly Enrolee[]): readonly Enrolee[] {
  return list.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/**
 * Name and ID from a file name; none from that of the camera.
 * @example 'Sri_Rahayu.jpg' → 'Sri Rahayu', 'sri-rahayu'
 */
function enroleeFrom(picture: Picture): Enrolee {
  const stem = picture.name.replace(/\.[a-z0-9]{2,5}$/i, '').trim();
  const words = stem
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, 120);
  const userName = /^camera-[\d-]+$/.test(stem) ? '' : words;
  return { picture, userId: userIdOf(userName), userName, state: 'waiting' };
}

/** A name is typed: the ID follows it until it is edited itself. */
export function renamed({ userName, userId }: Enrolee, typed: string): Partial<Enrolee> {
  return userId === userIdOf(userName) ? { userName: typed, userId: userIdOf(typed) } : { userName: typed };
}

export type EnrolmentRules = Rules & Partial<ConsentFields>;
export type EnrolmentGallery = Pick<Gallery, 'facegallery_id' | 'minimum_face' | 'require_consent'>;
