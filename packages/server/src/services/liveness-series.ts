import type { Engine, Face } from '@wajah/engine';
import { templateOf } from './faces.ts';
import { shown } from './thresholds.ts';

/** One picture of a series that one person is said to have taken. */
export interface Shot {
  /** How the answer calls it: `image1`, … */
  readonly name: string;
  readonly parameter: string;
  /** SHA-256 of the picture's bytes. */
  readonly digest: string;
  /** Analysed with `pose` and `embedding`. */
  readonly face: Face;
}

/**
 * Similarity below which two pictures of a series show different people: far below the threshold of
 * verification, because a series is made of turned heads and closed eyes. Measured on the `dev` pictures, which
 * were taken on different days and so are harder than a series: 1 of 251 people's own 3 to 8 pictures falls
 * below; a stranger among three of somebody else's pictures does in 4,532 of 4,769 cases.
 */
export const samePersonLimit = 0.4;

/** Why a series does not count, although each of its pictures may: one sentence a reason. */
export function reasonsAgainst(shots: readonly Shot[], engine: Pick<Engine, 'similarity'>): string[] {
  return [...repeats(shots), ...strangers(shots, engine)];
}

/** One picture cannot show two things asked one after the other. */
function repeats(shots: readonly Shot[]): string[] {
  return shots.flatMap((shot, index) =>
    shots
      .slice(0, index)
      .filter((earlier) => earlier.parameter !== shot.parameter && isSamePicture(earlier, shot))
      .map(({ name }) => `${name} and ${shot.name} are the same picture, sent for different parameters`),
  );
}

/** Equal bytes, or other bytes that decode to the same pixels: those give the same template to the last bit. */
function isSamePicture(a: Shot, b: Shot): boolean {
  if (a.digest === b.digest) return true;
  const [left, right] = [templateOf(a.face), templateOf(b.face)];
  return left.every((value, index) => value === right[index]);
}

/**
 * Each picture is held against the most frontal one: a face turned to the left is nearer to the front of the
 * same person than to that person turned to the right.
 */
function strangers(shots: readonly Shot[], engine: Pick<Engine, 'similarity'>): string[] {
  const [reference] = [...shots].sort((a, b) => turn(a.face) - turn(b.face));
  if (!reference) return [];
  return shots.flatMap((shot) => {
    if (shot === reference) return [];
    const similarity = engine.similarity(templateOf(reference.face), templateOf(shot.face));
    if (similarity >= samePersonLimit) return [];
    return `${shot.name} shows another person than ${reference.name}: similarity ${shown(similarity)}, at least ${shown(samePersonLimit)} is needed`;
  });
}

/** Degrees by which a face is turned away from the camera. */
function turn({ pose }: Face): number {
  return pose ? Math.hypot(pose.yaw, pose.pitch) : Number.POSITIVE_INFINITY;
}
