import { fitColumns } from '../imaging/least-squares.ts';
import { MEAN_FACE, POINTS } from '../stages/mesh/mean-face.ts';

/** Points of the contours of eyes, brows, lips and nostrils: their colour is not that of skin, or they move. */
const FEATURES = [
  33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246, 263, 249, 390, 373, 374, 380,
  381, 382, 362, 398, 384, 385, 386, 387, 388, 466, 70, 63, 105, 66, 107, 55, 65, 52, 53, 46, 300, 293, 334,
  296, 336, 285, 295, 282, 283, 276, 61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0,
  37, 39, 40, 185, 78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191,
  98, 327,
];
/** The outline of the mesh, where hair and the room behind begin. */
const OUTLINE = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
/** Distance from features and outline, in half widths of the face: a colour spans 0.03 of them to each side. */
const CLEARANCE = { features: 0.12, outline: 0.08 } as const;
/** Neighbours that a normal is fitted to. */
const NEIGHBOURS = 14;

/** A point of the mesh on bare skin. */
export interface SkinPoint {
  /** 0…467 */
  readonly index: number;
  /** Position in the mean face: x to the left of the person, y down, z away from the camera; unit half the face width. */
  readonly place: readonly [number, number, number];
  /** Outward unit normal of the mean face; z is negative towards the camera. */
  readonly normal: readonly [number, number, number];
}

let found: readonly SkinPoint[] | undefined;

/** Points of the mesh on forehead, cheeks, nose and chin; found on the first use. */
export function skinPoints(): readonly SkinPoint[] {
  found ??= Array.from({ length: POINTS }, (_, index) => index)
    .filter(
      (index) => isAway(index, FEATURES, CLEARANCE.features) && isAway(index, OUTLINE, CLEARANCE.outline),
    )
    .map((index) => ({ index, place: placeOf(index), normal: normalAt(index) }));
  return found;
}

function placeOf(index: number): readonly [number, number, number] {
  return [MEAN_FACE[3 * index]!, MEAN_FACE[3 * index + 1]!, MEAN_FACE[3 * index + 2]!];
}

function isAway(index: number, from: readonly number[], clearance: number): boolean {
  const [x, y, z] = placeOf(index);
  return from.every((other) => {
    const [ox, oy, oz] = placeOf(other);
    return Math.hypot(ox - x, oy - y, oz - z) >= clearance;
  });
}

/** Normal of the plane z = a + p·x + q·y that fits the neighbourhood best. */
function normalAt(index: number): readonly [number, number, number] {
  const [x, y] = placeOf(index);
  const near = Array.from({ length: POINTS }, (_, i) => placeOf(i))
    .sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y))
    .slice(0, NEIGHBOURS);
  const ones = near.map(() => 1);
  const [across, down, depth] = [0, 1, 2].map((axis) => near.map((place) => place[axis]!));
  const [, p, q] = fitColumns([ones, across!, down!], depth!, ones, 0);
  const length = Math.hypot(p!, q!, 1);
  return [p! / length, q! / length, -1 / length];
}
