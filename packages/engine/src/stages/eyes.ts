import { distance, middle, mirrored, squareCrop } from '../geometry.ts';
import type { Network } from '../packs/pack.ts';
import type { Sampler } from '../sampler.ts';
import type { Eyes, Judged, Point } from '../types.ts';
import { type Mesh, pointOf } from './mesh.ts';
import { batch, sigmoid } from './tensor.ts';

const SIZE = 64;
/** Crop side over the distance of the eye's corners. */
const MARGIN = 2.3;
const POINTS = 76;

/** Mesh points of the eyes' corners: at the left of the face as seen, at its right. */
const CORNERS = { right: [33, 133], left: [362, 263] } as const;

/** Probability of "open" = sigmoid(slope × (openness − middle)); fitted on the `dev` pictures. */
const OPEN = { middle: 0.135, slope: 60 };

/** How far each eye is open, 0 (closed) to about 0.35: mean gap of the lids over the distance of the corners. */
export interface Openness {
  readonly left: number;
  readonly right: number;
}

/** Runs the iris model on both eyes; the person's left eye is mirrored, as the model knows one side only. */
export async function measureEyes(network: Network, from: Sampler, mesh: Mesh): Promise<Openness> {
  const right = eyeCrop(mesh, CORNERS.right);
  const left = mirrored(eyeCrop(mesh, CORNERS.left), SIZE);
  const crops = [right, left].map((toPicture) => from.crop(toPicture, SIZE, SIZE));
  const outputs = await network.run({ [network.inputs[0]!]: batch(crops, 1 / 255, 0) });
  const contour = contours(outputs);
  return { right: openness(contour, 0), left: openness(contour, 1) };
}

function eyeCrop(mesh: Mesh, [from, to]: readonly [number, number]) {
  const p = pointOf(mesh, from);
  const q = pointOf(mesh, to);
  return squareCrop(middle(p, q), distance(p, q) * MARGIN, Math.atan2(q.y - p.y, q.x - p.x), SIZE);
}

function contours(outputs: Readonly<Record<string, { readonly data: Float32Array }>>): Float32Array {
  const tensor = Object.values(outputs).find(({ data }) => data.length === 2 * POINTS * 3);
  if (tensor === undefined) throw new Error(`The iris network has no output of 2 × ${POINTS} × 3 values.`);
  return tensor.data;
}

/** Points 0…8 are the lower lid from corner to corner, 9…15 the upper lid between the corners. */
function openness(contour: Float32Array, eye: number): number {
  const at = (index: number): Point => {
    const start = (eye * POINTS + index) * 3;
    return { x: contour[start]!, y: contour[start + 1]! };
  };
  let gap = 0;
  for (let i = 1; i <= 7; i++) gap += at(i).y - at(8 + i).y;
  return gap / 7 / distance(at(0), at(8));
}

/** The state of each of the person's eyes. */
export function judgeEyes({ left, right }: Openness): Eyes {
  return { left: judge(left), right: judge(right) };
}

function judge(value: number): Judged<'open' | 'closed'> {
  const open = sigmoid(OPEN.slope * (value - OPEN.middle));
  return open >= 0.5 ? { state: 'open', score: open } : { state: 'closed', score: 1 - open };
}
