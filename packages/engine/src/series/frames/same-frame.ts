import type { AlignedFaceImage } from '../../types.ts';
import { CANDIDATE_LIMIT, hashDistance, hashProbesOf, hashWords } from './hash-distance.ts';
import { samePictureQuery } from './same-picture.ts';

/** What is kept of a frame to recognise it. */
export interface FrameTrace {
  /** `PerceptualHash.bits`, 128 bytes. */
  readonly bits: Uint8Array;
  /** Result of `frameDetailOf`, 2,592 bytes. */
  readonly detail: Uint8Array;
}

/**
 * Prepares the comparison of one frame with others: the perceptual hash rejects most of them, the detail decides.
 * @returns whether another frame is the same picture
 * @example
 * const isAgain = sameFrameQuery(hash.image);
 * isAgain({ bits: hash.bits, detail: frameDetailOf(hash.image) }); // true
 */
export function sameFrameQuery(image: AlignedFaceImage): (trace: FrameTrace) => boolean {
  const probes = hashProbesOf(image);
  let query: ReturnType<typeof samePictureQuery> | undefined;
  return ({ bits, detail }) => {
    const words = hashWords(bits);
    return probes.some((probe, mirrored) => {
      if (hashDistance(probe, words) > CANDIDATE_LIMIT) return false;
      query ??= samePictureQuery(image);
      return query.isSamePicture(detail, mirrored === 1);
    });
  };
}
