import { centreOf, distance, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Models } from '../../runtime/model.ts';
import type { Detection } from '../detected.ts';
import { landmarksOf } from '../mesh/mesh.ts';
import { detect } from './detect.ts';
import { evidence, type FoundFace, faceAt, isFace } from './found-face.ts';
import { VIEW } from './views.ts';

/** Evidence (`evidence`) from which a face is the right way up: large and nearly level, or looked at again. */
const CERTAIN = 6;
/** Least evidence for a face that is not large, or that the first look does not confirm. */
const SUFFICIENT = 4.5;
/** How much more has to speak for one way up than for the other. */
const MORE = 1;
/**
 * Where second looks find no face or cannot tell its way up, a large, level first face is kept if it and what more they see of
 * its way up have this evidence together, and one of them sees it at its angle with the least evidence: both networks see
 * masked faces less well in a crop around them. Chosen on dev (lab/results/decisions/0068.json).
 */
const KEPT = { evidence: 1.7, least: -4 } as const;
/** Least side of a large face over the longer side of the picture. */
const LARGE = 0.12;
/** Largest angle of the eyes of a face that is nearly level, radians. */
const LEVEL = Math.PI / 4;
/** Side of a second look over that of the face: there the detector tells both ways up apart best. */
const ROOM = 2.5;
/** Least score of a detection in a second look. */
const LEAST_SCORE = 0.05;
/** A second look is repeated around what it found where that is turned, of another size or aside by more than this. */
const FITTING = { turn: Math.PI / 9, size: 1.25, aside: 0.25 } as const;
const MOST_LOOKS = 3;
/** Mean distance of landmarks over the side of the face up to which two looks see the same. */
const SAME_PLACE = 0.1;
/** Angle between the eyes of two looks up to which they agree about the way up, radians. */
const SAME_WAY = Math.PI / 3;

/**
 * The face of a detection at a place and a way up that are certain. A face that is small in the picture, that does not lie
 * level or for which little speaks is searched again in a crop around it, both ways up: there it has the size that the
 * detector was made for (lab/results/decisions/0068.json).
 * @returns null: there is no face, or it cannot be decided which way up it is
 */
export async function confirmed(
  models: Models,
  from: Sampler,
  detection: Detection,
): Promise<FoundFace | null> {
  const first = await faceAt(models, from, detection);
  const large = isFace(models, first) && detection.side >= LARGE * Math.max(from.width, from.height);
  const angle = eyeAngle(detection);
  const near = large && Math.abs(angle) <= LEVEL;
  if (near && evidence(first) >= CERTAIN) return first;
  const again = await lookAgain(models, from, detection, angle);
  const isCertain = evidenceOf(again) >= CERTAIN;
  const over = isCertain ? null : await lookAgain(models, from, detection, angle + Math.PI);
  const best = likelier(again, over);
  if (!best || !isFace(models, best) || (!large && evidence(best) < SUFFICIENT)) {
    return near && isKept(first, again, over) ? first : null;
  }
  // A first look that more speaks for than for what a second one found is not overturned by it.
  if (near && (isSamePlace(first, best) || evidence(first) > evidence(best))) return first;
  return best;
}

function evidenceOf(face: FoundFace | null): number {
  return face ? evidence(face) : Number.NEGATIVE_INFINITY;
}

function likelier(one: FoundFace | null, other: FoundFace | null): FoundFace | null {
  const more = evidenceOf(one) - evidenceOf(other);
  const agree = one && other && between(eyeAngle(one.detection), eyeAngle(other.detection)) < SAME_WAY;
  if (!agree && Math.abs(more) < MORE) return null;
  return more > 0 ? one : other;
}

function isKept(first: FoundFace, again: FoundFace | null, over: FoundFace | null): boolean {
  if (!again || evidence(again) < KEPT.least) return false;
  const sum = evidence(first) + evidence(again) - evidenceOf(over);
  return sum >= KEPT.evidence && between(eyeAngle(first.detection), eyeAngle(again.detection)) < FITTING.turn;
}

function isSamePlace(one: FoundFace, other: FoundFace): boolean {
  const [points, others] = [landmarksOf(one.mesh), landmarksOf(other.mesh)];
  const apart = points.reduce((sum, point, i) => sum + distance(point, others[i]!), 0) / points.length;
  return apart <= SAME_PLACE * one.detection.side;
}

/** The face around a detection in a crop that is rotated by an angle; repeated until the crop fits the face. */
async function lookAgain(
  models: Models,
  from: Sampler,
  { box, side }: Detection,
  angle: number,
): Promise<FoundFace | null> {
  const { detector } = models;
  let wanted = { centre: centreOf(box), side, angle };
  for (let look = 1; ; look++) {
    const { centre } = wanted;
    const view = squareCrop(centre, ROOM * wanted.side, wanted.angle, VIEW);
    const seen = await detect(detector.smaller ?? detector, from, view, LEAST_SCORE);
    const found = seen.find((one) => distance(centreOf(one.box), centre) < wanted.side / 2);
    if (!found) return null;
    const place = { centre: centreOf(found.box), side: found.side, angle: eyeAngle(found) };
    if (look === MOST_LOOKS || fits(place, wanted)) return faceAt(models, from, found);
    wanted = place;
  }
}

interface Place {
  readonly centre: { readonly x: number; readonly y: number };
  readonly side: number;
  readonly angle: number;
}

function fits(place: Place, wanted: Place): boolean {
  const turned = between(place.angle, wanted.angle);
  const grown = Math.max(place.side / wanted.side, wanted.side / place.side);
  const aside = distance(place.centre, wanted.centre) / wanted.side;
  return turned < FITTING.turn && grown < FITTING.size && aside < FITTING.aside;
}

/** Angle of the line through the detected eyes, radians, clockwise on screen. */
function eyeAngle({ keypoints: [left, right] }: Detection): number {
  return Math.atan2(right!.y - left!.y, right!.x - left!.x);
}

/** Angle between two directions, 0…π. */
function between(one: number, other: number): number {
  const apart = Math.abs(one - other) % (2 * Math.PI);
  return Math.min(apart, 2 * Math.PI - apart);
}
