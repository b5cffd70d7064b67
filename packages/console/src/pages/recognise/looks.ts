import {
  calls,
  type IdentifyFaceAnswer,
  isWajahError,
  type Person,
  type VerifyFaceAnswer,
} from '@wajah/client';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { keptSignal } from '../../state/session.ts';
import type { SentCall } from '../../ui/call-text.ts';

/** What is asked about the picture. */
type Question = 'who' | 'isIt';

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

/** Faces of one call at most, and candidates of each. */
const limits = { faces: 20, top_k: 5, below_threshold: true } as const;

export type SearchedFace = NonNullable<IdentifyFaceAnswer['faces']>[number];

/** The faces of a picture with their candidates. */
export interface Recognition {
  /** The largest first; candidates at any similarity, best first. */
  readonly faces: readonly SearchedFace[];
  /** Faces of the picture, also those beyond the limit of a call. */
  readonly found: number;
  /** Similarity that identified faces reach by the server's decision. */
  readonly threshold: number;
  /** The call that the server decided. */
  readonly call: SentCall;
}

/**
 * Searches a gallery for each face of a picture, in one call: the server's decision, with the candidates below it.
 * @throws WajahError but 411, which says that nobody reaches the threshold
 */
async function recognise(gallery: string, picture: Picture, signal: AbortSignal): Promise<Recognition> {
  const fields = { facegallery_id: gallery, ...limits, image: picture };
  const request = { ...fields, image: picture.blob };
  const answer = await orMiss(wajah.identifyFace(request, { signal }));
  const { faces = [], found = faces.length, threshold = 1 } = answer;
  const call = { path: calls.identifyFace.path, fields, answer };
  const searched = faces.map((face) => ({
    ...face,
    candidates: [...face.candidates, ...(face.below ?? [])],
  }));
  return { faces: searched, found, threshold, call };
}

/** The best candidate of a face at a threshold; undefined when the face is not identified at it. */
export function identifiedAt({ candidates }: SearchedFace, threshold: number) {
  const [best] = candidates;
  return best && best.confidence_level >= threshold ? best : undefined;
}

/** The answer, also that of a 411. */
async function orMiss(answer: Promise<IdentifyFaceAnswer>): Promise<IdentifyFaceAnswer> {
  try {
    return await answer;
  } catch (error) {
    if (isWajahError(error) && error.status === '411') return error.answer as unknown as IdentifyFaceAnswer;
    throw error;
  }
}
