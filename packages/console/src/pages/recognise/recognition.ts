import { calls, type IdentifyFaceAnswer, isWajahError } from '@wajah/client';
import { wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import type { SentCall } from '../../ui/call/call-text.ts';

/** Faces of one call at most, and candidates of each. */
const limits = { faces: 20, top_k: 5 } as const;

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
 * Searches a gallery for each face of a picture, in two calls: one for the server's decision, and one with threshold 0
 * for the candidates below it.
 * @throws WajahError but 411, which says that nobody reaches the threshold
 */
export async function recognise(
  gallery: string,
  picture: Picture,
  signal: AbortSignal,
): Promise<Recognition> {
  const fields = { facegallery_id: gallery, ...limits, image: picture };
  const request = { ...fields, image: picture.blob };
  const decision = await orMiss(wajah.identifyFace(request, { signal }));
  const all = await orMiss(wajah.identifyFace({ ...request, threshold: 0 }, { signal }));
  const { faces = [], found = faces.length } = all;
  const call = { path: calls.identifyFace.path, fields, answer: decision };
  return { faces, found, threshold: decision.threshold ?? 1, call };
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
