/** Comparisons of analysed frames. Unlike the index of this package, it loads no network and no native module. */
export { DETAIL_BYTES, frameDetailOf } from './series/frames/frame-detail.ts';
export {
  CANDIDATE_LIMIT,
  HASH_WORDS,
  type HashProbe,
  hashDistance,
  hashProbesOf,
  hashWords,
  MOVED_LIMIT,
  movedDistance,
} from './series/frames/hash-distance.ts';
export { type FrameTrace, sameFrameQuery, samePictureQuery } from './series/frames/same-picture.ts';
