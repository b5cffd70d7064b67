import { centroid, distance, middle, mirrored, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Model } from '../../runtime/model.ts';
import type { Eyes, Point } from '../../types.ts';
import { inferViews } from '../infer.ts';
import type { MeshPasses } from '../mesh/averaged-mesh.ts';
import { type Mesh, pointOf } from '../mesh/mesh.ts';
import { areClear, estimateFromOdds, states } from './states.ts';

/** Crop side over the distance of the eye's corners, and rotations of the crops in radians: chosen on `dev`. */
const MARGIN = 2;
const TURNS = [-8, 0, 8].map((degrees) => (degrees * Math.PI) / 180);
const LEVEL = [0] as const;
/** Points of the iris model's contour. */
const POINTS = 76;
/** Gaps between the lids that are measured, and how many of the widest are averaged. */
const GAPS = 7;
const WIDEST = 3;

/** Mesh points of the corners of each of the person's eyes. */
const CORNERS = { right: [33, 133], left: [362, 263] } as const;

/** Openness of each of the person's eyes, 0 (closed) to about 0.4: widest gap of the lids over the distance of the corners. */
export interface Openness {
  readonly left: number;
  readonly right: number;
}

/** What the iris model tells of both eyes. */
export interface EyeMeasures {
  readonly openness: Openness;
  /** Place of the irises between the corners of the eyes, 0 (left in the picture) to 1; the mean of both eyes. */
  readonly gaze: number;
}

/**
 * Mean of the iris model's answers on three crops of each eye, rotated slightly to either side, or on a level one. The
 * person's left eye is mirrored, as the model was trained on one side only.
 */
export async function measureEyes(
  iris: Model,
  from: Sampler,
  mesh: Mesh,
  turns: readonly number[] = TURNS,
): Promise<EyeMeasures> {
  const size = iris.spec.input.width;
  const right = turns.map((turn) => eyeCrop(mesh, CORNERS.right, turn, size));
  const left = turns.map((turn) => mirrored(eyeCrop(mesh, CORNERS.left, turn, size), size));
  const views = [...right, ...left];
  const contours = (await inferViews(iris, from, views))('contour');
  const ofEach = (measure: (contours: Float32Array, crop: number) => number) => {
    const values = views.map((_, crop) => measure(contours, crop));
    return { right: mean(values.slice(0, right.length)), left: mean(values.slice(right.length)) };
  };
  const along = ofEach(irisPlace);
  // The left eye's crops are mirrored.
  return { openness: ofEach(openness), gaze: (along.right + 1 - along.left) / 2 };
}

function eyeCrop(mesh: Mesh, [from, to]: readonly [number, number], turn: number, size: number) {
  const p = pointOf(mesh, from);
  const q = pointOf(mesh, to);
  const level = Math.atan2(q.y - p.y, q.x - p.x);
  return squareCrop(middle(p, q), distance(p, q) * MARGIN, level + turn, size);
}

function pointsOf(contours: Float32Array, crop: number): (index: number) => Point {
  return (index) => {
    const start = (crop * POINTS + index) * 3;
    return { x: contours[start]!, y: contours[start + 1]! };
  };
}

/** Points 0…8 are the lower lid from corner to corner, 9…15 the upper lid between the corners. */
function openness(contours: Float32Array, crop: number): number {
  const at = pointsOf(contours, crop);
  const gaps = Array.from({ length: GAPS }, (_, i) => at(1 + i).y - at(9 + i).y);
  return mean(gaps.sort((a, b) => b - a).slice(0, WIDEST)) / distance(at(0), at(8));
}

/** Place of the iris between the outer corner of the eye, 0, and the inner one, 1. Points 71…75 are the iris. */
function irisPlace(contours: Float32Array, crop: number): number {
  const at = pointsOf(contours, crop);
  const [outer, inner, iris] = [at(0), at(8), centroid([71, 72, 73, 74, 75].map(at))];
  const [dx, dy] = [inner.x - outer.x, inner.y - outer.y];
  return ((iris.x - outer.x) * dx + (iris.y - outer.y) * dy) / (dx * dx + dy * dy);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The state of each of the person's eyes. Who winks narrows the other eye too, so a clear difference between the eyes
 * counts in favour of one open and one closed eye: less the more the head is turned, as eyes seen at a slant differ.
 * @param yaw degrees
 */
export function estimateEyes({ left, right }: Openness, yaw: number): Eyes {
  const { middle, slope, difference } = states.eyes;
  const clear = Math.max(0, Math.abs(left - right) - difference.from) * Math.sign(left - right);
  const wink = difference.weight * clear * Math.exp(-((yaw / difference.within) ** 2));
  const judge = (openness: number, wink: number) => estimateFromOdds(slope * (openness - middle) + wink);
  return { left: judge(left, wink), right: judge(right, -wink) };
}

/** The states by one crop of each eye around the narrow mesh where that is clear, else by all passes. @param yaw degrees */
export async function eyesInPasses(
  iris: Model,
  from: Sampler,
  passes: MeshPasses,
  yaw: number,
): Promise<Eyes> {
  const quick = estimateEyes((await measureEyes(iris, from, await passes.narrow(), LEVEL)).openness, yaw);
  if (areClear(quick.left, quick.right)) return quick;
  return estimateEyes((await measureEyes(iris, from, await passes.all())).openness, yaw);
}
