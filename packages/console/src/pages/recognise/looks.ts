import { calls, type Person, type VerifyFaceAnswer } from '@wajah/client';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { keptSignal } from '../../state/kept.ts';
import type { SentCall } from '../../ui/call/call-text.ts';
import { type Recognition, recognise } from './recognition.ts';

/** What is asked about the picture. */
export type Question = 'who' | 'isIt';

/** A verification with the call that made it. */
export interface Verification {
  readonly answer: VerifyFaceAnswer;
  readonly call: SentCall;
}

/** The picture of the page and the answer to the last question about it; neither answer nor error while it is sent. */
interface Look {
  readonly picture: Picture;
  readonly recognition?: Recognition;
  readonly verification?: Verification;
  readonly error?: ApiError;
  readonly busy?: boolean;
}

export const question = keptSignal<Question>('who');
/** The person of the question "is it this person?", with the gallery of the list it was chosen from. */
export const expected = keptSignal<(Person & { readonly gallery: string }) | undefined>(undefined);
export const look = keptSignal<Look | undefined>(
  undefined,
  (dropped) => dropped && releasePictures([dropped.picture]),
);

let running = new AbortController();

/** Takes another picture; the previous one is released. */
export function show(picture: Picture): void {
  running.abort();
  if (look.value) releasePictures([look.value.picture]);
  look.value = { picture };
}

/** Asks about the picture again: in another gallery, or of another person. Does nothing without a picture. */
export async function ask(gallery: string): Promise<void> {
  running.abort();
  const picture = look.value?.picture;
  if (!picture) return;
  const person = expected.value;
  if (question.value === 'isIt' && person?.gallery !== gallery) {
    look.value = { picture };
    return;
  }
  running = new AbortController();
  const { signal } = running;
  look.value = { picture, busy: true };
  const result = await answerOf(async () =>
    question.value === 'isIt' && person
      ? { verification: await verify(gallery, person, picture, signal) }
      : { recognition: await recognise(gallery, picture, signal) },
  );
  if (!signal.aborted && look.value?.picture === picture) look.value = { picture, ...result };
}

async function answerOf(work: () => Promise<Partial<Look>>): Promise<Partial<Look>> {
  try {
    return await work();
  } catch (error) {
    return { error: asApiError(error) };
  }
}

async function verify(
  gallery: string,
  { user_id }: Person,
  picture: Picture,
  signal: AbortSignal,
): Promise<Verification> {
  const fields = { facegallery_id: gallery, user_id, image: picture };
  const answer = await wajah.verifyFace({ ...fields, image: picture.blob }, { signal });
  return { answer, call: { path: calls.verifyFace.path, fields, answer } };
}
