import type { Mesh } from '../../stages/mesh/mesh.ts';
import { MEAN_FACE } from '../../stages/mesh/pose.ts';
import { solve } from './least-squares.ts';

/** Points of the mesh on bare skin, by where they are; cheeks of the person's own left and right. */
export const PATCHES = {
  forehead: [9, 151, 108, 337, 69, 299, 104, 333, 107, 336],
  nose: [6, 197, 195, 5, 4],
  cheekRight: [50, 101, 36, 205, 187, 147, 123, 117, 118, 119],
  cheekLeft: [280, 330, 266, 425, 411, 376, 352, 346, 347, 348],
  chin: [199, 200, 175, 208, 428, 171, 396],
} as const satisfies Record<string, readonly number[]>;

/** Sides of the nose, jaw and temples, where the skin turns away. */
const TURNING = [198, 420, 126, 355, 142, 371, 172, 397, 136, 365, 150, 379, 213, 433, 116, 345, 34, 264];

/** Points whose brightness follows the light, not hair, eyes or lips. */
export const SKIN: readonly number[] = [...Object.values(PATCHES).flat(), ...TURNING];

/** Points around each one that its slope is fitted to. */
const NEAR = 12;

/** Of each point of the skin the points next to it on the mean face; made on use: the service asks no cue that needs it. */
const neighbours = new Map<number, readonly number[]>();

function neighboursOf(point: number): readonly number[] {
  const near = neighbours.get(point) ?? nearest(point);
  neighbours.set(point, near);
  return near;
}

function nearest(point: number): number[] {
  const at = (i: number) => MEAN_FACE.slice(3 * i, 3 * i + 3);
  const own = at(point);
  const distance = (i: number) => Math.hypot(...at(i).map((value, axis) => value - own[axis]!));
  const all = Array.from({ length: MEAN_FACE.length / 3 }, (_, i) => i);
  return all.sort((a, b) => distance(a) - distance(b)).slice(0, NEAR);
}

/** How fast the skin recedes to the right and downwards at a point of the skin: a plane through what is next to it. */
export function slopesOf({ points }: Mesh, point: number): [right: number, down: number] {
  const near = neighboursOf(point);
  const rows = near.map((i) => [
    1,
    points[3 * i]! - points[3 * point]!,
    points[3 * i + 1]! - points[3 * point + 1]!,
  ]);
  const [, right, down] = solve(
    rows,
    near.map((i) => points[3 * i + 2]!),
  );
  return [right!, down!];
}
