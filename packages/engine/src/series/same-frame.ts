import { mirroredShape, SHAPE_UNIT } from '../stages/mesh/shape.ts';

/**
 * Distance, in standard deviations of a face's points, up to which two frames of one session show the same moment. On
 * `dev`, frontal frames with a turn of the head between them are 0.0069 apart and more (233 pairs of four films); of frames
 * under a ramp of light of 0.6 to 1.4, 93 % stay within it, of mirrored ones 89 %, under several changes at once 69 to 79 %.
 */
const SAME_MOMENT = 0.0038;

/**
 * From this distance on, a frame says nothing for a replay. Chosen on `dev` together with `REPLAY_EVIDENCE`, docs/adr/0073.
 */
const REPLAY_REACH = 0.014;
/** An equal distance of 0 is no better evidence than this one, which encoding a picture again reaches. */
const LEAST_DISTANCE = 0.0005;

/** Sum of `replayEvidence` over the frames of a session from which they are those of another session. */
export const REPLAY_EVIDENCE = 2.5;

/** Numbers that are compared before a shape is given up. */
const STRIDE = 8;

/** A shape to look for, and that of its mirror image. */
export interface ShapeQuery {
  readonly sides: readonly [Int16Array, Int16Array];
}

/** @param shape of a face, see `Face.shape` */
export function shapeQuery(shape: Int16Array): ShapeQuery {
  return { sides: [shape, mirroredShape(shape)] };
}

/**
 * Distance of a shape, or of its mirror image, to the nearest of others, in standard deviations of a face's points.
 * @param shapes one after the other
 * @returns Infinity where none is within `REPLAY_REACH`
 */
export function nearestShape({ sides }: ShapeQuery, shapes: Int16Array): number {
  const { length } = sides[0];
  const reach = (REPLAY_REACH * SHAPE_UNIT) ** 2 * (length / 2);
  let least = reach;
  for (const side of sides) {
    for (let from = 0; from + length <= shapes.length; from += length) {
      let sum = 0;
      for (let i = 0; i < length && sum < least; ) {
        for (const end = Math.min(i + STRIDE, length); i < end; i++) {
          const apart = side[i]! - shapes[from + i]!;
          sum += apart * apart;
        }
      }
      if (sum < least) least = sum;
    }
  }
  return least < reach ? Math.sqrt(least / (length / 2)) / SHAPE_UNIT : Number.POSITIVE_INFINITY;
}

/** Whether two frames of a session, or one and the mirror image of the other, show the same moment. @param a, b `Face.shape` */
export function isSameMoment(a: Int16Array, b: Int16Array): boolean {
  return nearestShape(shapeQuery(a), b) <= SAME_MOMENT;
}

/**
 * Evidence that a frame is one of another session, to be summed over the frames of a session, which may be changed by
 * light, encoding or crops, each a little: the squared logarithm of how far within `REPLAY_REACH` it lies.
 * @param distance of `nearestShape` @returns 0…11
 */
export function replayEvidence(distance: number): number {
  return Math.max(0, Math.log(REPLAY_REACH / Math.max(distance, LEAST_DISTANCE))) ** 2;
}
