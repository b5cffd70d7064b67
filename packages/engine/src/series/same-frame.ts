import { mirroredShape, SHAPE_UNIT } from '../stages/mesh/shape.ts';

/**
 * Distance, in standard deviations of a face's points, up to which two frames of one session show the same moment. On
 * `dev`, frontal frames with a turn of the head between them are 0.0069 apart and more (233 pairs of four films); of frames
 * under a ramp of light of 0.6 to 1.4, 93 % stay within it, of mirrored ones 89 %, under several changes at once 69 to 79 %.
 */
const SAME_MOMENT = 0.0038;

/** Distance beyond which a frame is as good as another one. */
const REACH = 0.03;
/** An equal distance of 0 is no better evidence than this one, which encoding a picture again reaches. */
const LEAST_DISTANCE = 0.0005;

/**
 * From this distance on, a frame alone says nothing for a replay, and the sum of evidence from which frames are those of
 * another session: the squared logarithms of how far within that distance each lies. Chosen on `dev`, docs/adr/0073.
 */
const ALONE = { reach: 0.014, evidence: 2.5 } as const;
/**
 * Geometric mean of the distances up to which frames are those of another session, as of frames that were warped. Chosen on
 * `dev`: honest sessions from 0.013 on, warped ones up to 0.0098, docs/adr/0082.
 */
const TOGETHER = 0.0105;

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
 * @returns Infinity where none is within `REACH`
 */
export function nearestShape({ sides }: ShapeQuery, shapes: Int16Array): number {
  const { length } = sides[0];
  const reach = (REACH * SHAPE_UNIT) ** 2 * (length / 2);
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
 * The frames of a session that are those of another one, changed by light, encoding, crops or waves: one that was hardly
 * changed suffices, several that were changed a little, or all of them together.
 * @param distances of `nearestShape` to the frames of one other session, of each frame
 * @returns for each frame whether it is such a frame; all false where they are not enough
 */
export function replayedFrames(distances: readonly number[]): boolean[] {
  const near = distances.map((distance) => Math.min(REACH, Math.max(distance, LEAST_DISTANCE)));
  const evidence = near.map((distance) => Math.max(0, Math.log(ALONE.reach / distance)) ** 2);
  const isEnough =
    sum(evidence) >= ALONE.evidence || sum(near.map(Math.log)) <= near.length * Math.log(TOGETHER);
  return evidence.map((one) => isEnough && one > 0);
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
