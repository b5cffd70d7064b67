import { isWajahError } from '@wajah/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../../api/api-error.ts';
import type { FaceBox } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { type Picture, releasePictures } from '../../../draw/picture.ts';

/** The face of a picture that was enrolled. */
export interface Taken {
  readonly box: FaceBox;
  /** Faces in the picture. */
  readonly found: number;
}

/** A person to enrol with the state of the enrolment. */
export interface Enrolee {
  readonly picture: Picture;
  readonly userId: string;
  readonly userName: string;
  readonly state: 'waiting' | 'working' | 'enrolled' | 'failed';
  readonly taken?: Taken;
  readonly error?: ApiError;
  /** user_id that the face is enrolled under already. */
  readonly duplicateOf?: string;
}

/** Name and ID from a file name. @example 'Sri_Rahayu.jpg' → 'Sri Rahayu', 'sri-rahayu' */
export function enroleeFrom(picture: Picture): Enrolee {
  const stem = picture.name.replace(/\.[a-z0-9]{2,5}$/i, '').trim();
  const userName =
    stem
      .replace(/[_\s]+/g, ' ')
      .trim()
      .slice(0, 120) || 'person';
  const userId = userName.toLowerCase().replace(/\s+/g, '-');
  return { picture, userId, userName, state: 'waiting' };
}

/** Whether the person can be enrolled now. */
export function isReady({ userId, userName, state }: Enrolee): boolean {
  return (state === 'waiting' || state === 'failed') && userId.trim() !== '' && userName.trim() !== '';
}

export interface Options {
  readonly replace: boolean;
  readonly check_duplicate: boolean;
  readonly check_single_face: boolean;
  readonly force_register: boolean;
}

/** Consent that the people of the list have given; empty: none. */
export interface ConsentFields {
  readonly consent_reference: string;
  readonly consent_purpose: string;
}

/** The list of people to enrol and its run. */
export function useEnrolment(gallery: string, options: Options & ConsentFields, onEnrolled: () => void) {
  const [enrolees, setEnrolees] = useState<readonly Enrolee[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const latest = useRef(enrolees);
  latest.current = enrolees;
  useEffect(() => () => running?.abort(), [running]);

  const change = (picture: Picture, changes: Partial<Enrolee>) =>
    setEnrolees((all) => all.map((one) => (one.picture === picture ? { ...one, ...changes } : one)));

  async function run(): Promise<void> {
    const controller = new AbortController();
    setRunning(controller);
    for (const { picture } of latest.current.filter(isReady)) {
      const enrolee = latest.current.find((one) => one.picture === picture);
      if (controller.signal.aborted || !enrolee) continue;
      change(picture, { state: 'working' });
      change(picture, await enrol(gallery, enrolee, options, controller.signal));
    }
    if (!controller.signal.aborted) setRunning(undefined);
    onEnrolled();
  }

  return {
    enrolees,
    running: running !== undefined,
    run,
    change,
    add: (more: readonly Enrolee[]) => setEnrolees((all) => [...all, ...more]),
    drop(picture: Picture) {
      releasePictures([picture]);
      setEnrolees((all) => all.filter((one) => one.picture !== picture));
    },
    stop() {
      running?.abort();
      setRunning(undefined);
    },
    clear() {
      releasePictures(enrolees.map(({ picture }) => picture));
      setEnrolees([]);
    },
  };
}

async function enrol(
  gallery: string,
  { picture, userId, userName }: Enrolee,
  options: Options & ConsentFields,
  signal: AbortSignal,
): Promise<Partial<Enrolee>> {
  try {
    const person = { facegallery_id: gallery, user_id: userId, user_name: userName, image: picture.blob };
    const { face, found } = await wajah.enrolFace({ ...person, ...options, details: true }, { signal });
    return { state: 'enrolled', taken: { box: face!.box, found: found! } };
  } catch (error) {
    if (signal.aborted) return { state: 'waiting' };
    const other = duplicateIn(error);
    return { state: 'failed', error: asApiError(error), ...(other !== undefined && { duplicateOf: other }) };
  }
}

/** The user whom a refused face belongs to. */
function duplicateIn(error: unknown): string | undefined {
  if (!isWajahError(error) || error.status !== '409') return undefined;
  const { duplicate_user_id: userId } = error.answer;
  return typeof userId === 'string' ? userId : undefined;
}
