import { centreOf, distance, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Models } from '../../runtime/model.ts';
import type { Detection } from '../detected.ts';
import { landmarksOf } from '../mesh/mesh.ts';
import { detect } from './detect.ts';
import { evidence, type FoundFace, faceAt, isFace } from './found-face.ts';
import { VIEW } from './views.ts';

/** Evidence from which the way up is certain, and difference of the evidence from which one way is more likely. */
const CERTAIN = 6;
const DIFFERENCE = 1;
const CLEAR_DIFFERENCE = Number(process.env['CLEAR'] ?? 2);
/** A near face: least side over that of the view, largest angle of the eyes. */
const NEAR = Number(process.env['NEAR'] ?? 0.15);
const ROLL = Math.PI / 4;
/** Side of the view of a second look over that of the face: the detector tells both ways up apart best there. */
const ROOM = 2.5;
const LOW = 0.05;
const LOOKS = 3;
/** A look is repeated around what it found where this is turned, larger, smaller or aside by more. */
const TURN = Math.PI / 9;
const SIZE = 1.25;
const ASIDE = 0.25;
const SAME_PLACE = 0.1;
const MIN2 = Number(process.env['MIN2'] ?? -99);

/**
 * The face of a detection whose place and way up are certain; null: there is none, or it cannot be decided.
 */
export async function confirmed(
  models: Models,
  from: Sampler,
  detection: Detection,
): Promise<FoundFace | null> {
  const first = await faceAt(models, from, detection);
  const passes = isFace(models, first);
  const near = passes && isNear(first, from);
  if (near && evidence(first) >= CERTAIN) return first;
  const level = eyeAngle(detection);
  const other = await lookAt(models, from, detection, level + Math.PI);
  if (near && evidence(first) - likelihood(other) >= CLEAR_DIFFERENCE) return first;
  const best = likelier(await lookAt(models, from, detection, level), other);
  if (process.env['LOOKLOG']) console.error(JSON.stringify({ first: { e: evidence(first), passes, near, side: detection.side }, best: best && { e: evidence(best), ok: isFace(models, best), s: best.detection.score, m: best.mesh.score, box: best.box } }));
  if (!best || !isFace(models, best) || evidence(best) < MIN2) return null;
  return near && isSamePlace(first, best) ? first : best;
}

function isNear({ detection }: FoundFace, { width, height }: Sampler): boolean {
  return detection.side >= NEAR * Math.max(width, height) && Math.abs(eyeAngle(detection)) <= ROLL;
}

function likelihood(face: FoundFace | null): number {
  return face ? evidence(face) : Number.NEGATIVE_INFINITY;
}

function likelier(one: FoundFace | null, other: FoundFace | null): FoundFace | null {
  const more = likelihood(one) - likelihood(other);
  const agree = one && other && between(eyeAngle(one.detection), eyeAngle(other.detection)) < Math.PI / 3;
  if (!agree && Math.abs(more) < DIFFERENCE) return null;
  return more > 0 ? one : other;
}

function isSamePlace(one: FoundFace, other: FoundFace): boolean {
  const [points, others] = [landmarksOf(one.mesh), landmarksOf(other.mesh)];
  const apart = points.reduce((sum, point, i) => sum + distance(point, others[i]!), 0) / points.length;
  return apart <= SAME_PLACE * one.detection.side;
}

async function lookAt(
  models: Models,
  from: Sampler,
  { box, side }: Detection,
  angle: number,
): Promise<FoundFace | null> {
  const { detector } = models;
  let wanted = { place: centreOf(box), side, angle };
  for (let look = 1; ; look++) {
    const view = squareCrop(wanted.place, ROOM * wanted.side, wanted.angle, VIEW);
    const { place } = wanted;
    const found = (await detect(detector.smaller ?? detector, from, view, LOW)).find(
      (one) => distance(centreOf(one.box), place) < wanted.side / 2,
    );
    if (!found) return null;
    const seen = { place: centreOf(found.box), side: found.side, angle: eyeAngle(found) };
    const fits =
      between(seen.angle, wanted.angle) < TURN &&
      Math.max(seen.side / wanted.side, wanted.side / seen.side) < SIZE &&
      distance(seen.place, place) < ASIDE * wanted.side;
    if (fits || look === LOOKS) return faceAt(models, from, found);
    wanted = seen;
  }
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
