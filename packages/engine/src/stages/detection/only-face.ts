import type { Sampler } from '../../imaging/sampler.ts';
import type { Model } from '../../runtime/model.ts';
import type { Detection } from '../detected.ts';
import { detect } from './detect.ts';
import { isSame } from './detection.ts';
import { wholeView } from './views.ts';

/** Least score of the face. */
const SURE = 0.7;
/** Least side of the face over the longer side of the picture. */
const LARGE = 0.1;
/** Scores from which another detection may be a face, by its side over the longer side of the picture: small faces score low. */
const DOUBTS = [
  { below: 0.08, score: 0.1 },
  { below: 0.12, score: 0.15 },
  { below: Number.POSITIVE_INFINITY, score: 0.3 },
] as const;

/**
 * Looks for a picture's only face in a view of few pixels. Only a large face is found that scores high while nothing else
 * in the picture may be a face: all other pictures need a look at more pixels (figures: docs/adr/0056-a-large-face-is-found-with-few-pixels.md).
 * @param detector for few pixels
 * @returns null where such a look is needed
 */
export async function onlyFace(detector: Model, from: Sampler): Promise<Detection | null> {
  const longer = Math.max(from.width, from.height);
  const [face, ...others] = await detect(detector, from, wholeView(from), DOUBTS[0].score);
  if (!face || face.score < SURE || face.side < LARGE * longer) return null;
  const doubtful = ({ box, side, score }: Detection) =>
    score >= DOUBTS.find(({ below }) => side < below * longer)!.score && !isSame(face.box, box);
  return others.some(doubtful) ? null : face;
}
