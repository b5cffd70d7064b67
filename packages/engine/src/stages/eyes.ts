import { distance, middle, mirrored, squareCrop } from '../geometry.ts';
import type { Sampler } from '../sampler.ts';
import type { Eyes, Point } from '../types.ts';
import { judgeOdds } from './logistic.ts';
import { type Mesh, pointOf } from './mesh.ts';
import { infer, type Model } from './model.ts';
import { states } from './states.ts';

/** Crop side over the distance of the eye's corners. */
const MARGIN = 2.3;
const POINTS = 76;

/** Mesh points of the eyes' corners: at the left of the face as seen, at its right. */
const CORNERS = { right: [33, 133], left: [362, 263] } as const;

/** How far each eye is open, 0 (closed) to about 0.35: mean gap of the lids over the distance of the corners. */
export interface Openness {
  readonly left: number;
  readonly right: number;
}

/** Runs the iris model on both eyes; the person's left eye is mirrored, as the model knows one side only. */
export async function measureEyes(iris: Model, from: Sampler, mesh: Mesh): Promise<Openness> {
  const size = iris.spec.input.width;
  const right = eyeCrop(mesh, CORNERS.right, size);
  const left = mirrored(eyeCrop(mesh, CORNERS.left, size), size);
  const crops = [right, left].map((toPicture) => from.crop(toPicture, size, size));
  const contours = (await infer(iris, crops))('contour');
  return { right: openness(contours, 0), left: openness(contours, 1) };
}

function eyeCrop(mesh: Mesh, [from, to]: readonly [number, number], size: number) {
  const p = pointOf(mesh, from);
  const q = pointOf(mesh, to);
  return squareCrop(middle(p, q), distance(p, q) * MARGIN, Math.atan2(q.y - p.y, q.x - p.x), size);
}

/** Points 0…8 are the lower lid from corner to corner, 9…15 the upper lid between the corners. */
function openness(contours: Float32Array, eye: number): number {
  const at = (index: number): Point => {
    const start = (eye * POINTS + index) * 3;
    return { x: contours[start]!, y: contours[start + 1]! };
  };
  let gap = 0;
  for (let i = 1; i <= 7; i++) gap += at(i).y - at(8 + i).y;
  return gap / 7 / distance(at(0), at(8));
}

/** The state of each of the person's eyes. */
export function judgeEyes({ left, right }: Openness): Eyes {
  const { middle, slope } = states.eyes;
  const judge = (openness: number) => judgeOdds(slope * (openness - middle));
  return { left: judge(left), right: judge(right) };
}
