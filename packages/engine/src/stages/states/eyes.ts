import { distance, middle, mirrored, squareCrop } from '../../imaging/geometry.ts';
import type { Sampler } from '../../imaging/sampler.ts';
import type { Eyes, Point } from '../../types.ts';
import { type Mesh, pointOf } from '../mesh/mesh.ts';
import { infer, type Model } from '../model.ts';
import { estimateFromOdds, states } from './states.ts';

/** Crop side over the distance of the eye's corners, and rotations of the crops in radians: chosen on `dev`. */
const MARGIN = 2;
const TURNS = [-8, 0, 8].map((degrees) => (degrees * Math.PI) / 180);
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

/**
 * Mean of the iris model's answers on three crops of each eye, rotated slightly to either side. The person's left eye is
 * mirrored, as the model was trained on one side only.
 */
export async function measureEyes(iris: Model, from: Sampler, mesh: Mesh): Promise<Openness> {
  const size = iris.spec.input.width;
  const right = TURNS.map((turn) => eyeCrop(mesh, CORNERS.right, turn, size));
  const left = TURNS.map((turn) => mirrored(eyeCrop(mesh, CORNERS.left, turn, size), size));
  const crops = [...right, ...left].map((toPicture) => from.crop(toPicture, size, size));
  const contours = (await infer(iris, crops))('contour');
  const open = crops.map((_, crop) => openness(contours, crop));
  return { right: mean(open.slice(0, right.length)), left: mean(open.slice(right.length)) };
}

function eyeCrop(mesh: Mesh, [from, to]: readonly [number, number], turn: number, size: number) {
  const p = pointOf(mesh, from);
  const q = pointOf(mesh, to);
  const level = Math.atan2(q.y - p.y, q.x - p.x);
  return squareCrop(middle(p, q), distance(p, q) * MARGIN, level + turn, size);
}

/** Points 0…8 are the lower lid from corner to corner, 9…15 the upper lid between the corners. */
function openness(contours: Float32Array, crop: number): number {
  const at = (index: number): Point => {
    const start = (crop * POINTS + index) * 3;
    return { x: contours[start]!, y: contours[start + 1]! };
  };
  const gaps = Array.from({ length: GAPS }, (_, i) => at(1 + i).y - at(9 + i).y);
  return mean(gaps.sort((a, b) => b - a).slice(0, WIDEST)) / distance(at(0), at(8));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The state of each of the person's eyes. */
export function estimateEyes({ left, right }: Openness): Eyes {
  const { middle, slope } = states.eyes;
  const judge = (openness: number) => estimateFromOdds(slope * (openness - middle));
  return { left: judge(left), right: judge(right) };
}
