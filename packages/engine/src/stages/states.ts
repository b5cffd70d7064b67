import { z } from 'zod';
import { apply, centroid, distance, invert, middle, mirrored, squareCrop } from '../imaging/geometry.ts';
import type { Sampler } from '../imaging/sampler.ts';
import type { Model } from '../runtime/model.ts';
import type { Eyes, Point, StateEstimate } from '../types.ts';
import { inferViews } from './infer.ts';
import { probabilityBy, readLearned, regressionSchema } from './learned.ts';
import { sigmoid } from './maths.ts';
import { distance3d, eyeLineAngle, type Mesh, type MeshPasses, pointOf } from './mesh/mesh.ts';
import { UNCLEAR_LIMIT } from './unclear.ts';

/** Weights of eyes and mouth with their provenance, written by `lab/src/training/train-states.ts`. */
export const states = readLearned(
  'states.json',
  z.object({
    /** P(open) = sigmoid(slope × (openness − middle) + what the difference from the other eye adds). */
    eyes: z.object({
      middle: z.number(),
      slope: z.number().positive(),
      /** Log odds per openness of difference beyond `from`; divided by e at a yaw of `within` degrees. */
      difference: z.object({
        weight: z.number().nonnegative(),
        from: z.number().nonnegative(),
        within: z.number().positive(),
      }),
    }),
    /** P(open) = sigmoid(openness × its weight + contrast × its weight + bias). */
    mouth: z.object({
      openness: z.number().positive(),
      contrast: z.number().positive(),
      bias: z.number(),
    }),
  }),
);

/**
 * Log odds from which the first passes decide. Further passes change them by 1.5 (mouth) and 1.1 (eyes; root mean square
 * on `dev`). Of 2,376 states of 792 faces there one differs: of a mouth that all passes call open with a probability of 0.52.
 */
const CLEAR = 4;

/** Whether the states are so likely that further passes would not change them. */
function areClear(...estimates: readonly StateEstimate<string>[]): boolean {
  return estimates.every(({ score }) => score >= sigmoid(CLEAR));
}

/** The likelier state and its probability. @param odds log odds (natural logarithm) of "open" */
function estimateFromOdds(odds: number): StateEstimate<'open' | 'closed'> {
  const open = sigmoid(odds);
  return open >= 0.5 ? { state: 'open', score: open } : { state: 'closed', score: 1 - open };
}

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

/**
 * Least probability of covered eyes at which eyes that are measured as closed are reported as covered: of 62 closed pairs of
 * `dev` none reaches 0.4, and of painted sunglasses, of which 11 % are measured as closed, 2 % stay so.
 */
const MIN_COVERED_SCORE = 0.9;

/** The eyes as they were seen, unless something covers them, through which the lids are not measured. @param covered probability, 0…1 */
export function coveredOr(seen: Eyes, covered: number): Eyes {
  const closed = seen.left.state === 'closed' && seen.right.state === 'closed';
  if (covered < (closed ? MIN_COVERED_SCORE : UNCLEAR_LIMIT)) return seen;
  const glasses = { state: 'covered', score: covered } as const;
  return { left: glasses, right: glasses };
}

/** Side of the crop, pixels: finer detail is lost in small faces and under strong compression. */
const SIZE = 32;
/** Side of the crop over the height of the face. */
const SIDE = 0.6;
const [FOREHEAD, CHIN] = [10, 152] as const;
/** Mesh points of the outer edges of the lips, from left to right in the picture. */
const UPPER = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291] as const;
const LOWER = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291] as const;
/** Places along the edges, as point numbers, between which columns are sampled; nearer to the corners is skin. */
const [FIRST, LAST] = [2.5, 7.5] as const;
const COLUMNS = 10;
const ROWS = 16;
/** Added to brightness (0…255): keeps noise in dark areas from counting as contrast. */
const BLACK = 8;
/** Keeps the logarithm finite where there is no contrast. */
const LEAST = 0.02;

/**
 * Variation of brightness from the upper edge of the upper lip to the lower edge of the lower lip: closed lips have one
 * line between them, parted ones show the dark of the mouth, teeth and tongue. Natural logarithm of the total variation of
 * log brightness in the column where it is largest: about −1 to 1.5. Independent of the light's intensity and of colour.
 */
function lipContrast(from: Sampler, mesh: Mesh): number {
  const toPicture = aroundMouth(mesh);
  const luminance = from.luminance(toPicture, SIZE, SIZE, 'edge');
  const brightness = luminance.map((value) => Math.log(value + BLACK));
  const toCrop = invert(toPicture);
  const edge = (points: readonly number[]) => points.map((index) => apply(toCrop, pointOf(mesh, index)));
  const [upper, lower] = [edge(UPPER), edge(LOWER)];
  let most = 0;
  for (let column = 0; column < COLUMNS; column++) {
    const place = FIRST + ((LAST - FIRST) * column) / (COLUMNS - 1);
    most = Math.max(most, variation(brightness, along(upper, place), along(lower, place)));
  }
  return Math.log(most + LEAST);
}

function aroundMouth(mesh: Mesh) {
  const ends = [UPPER[0], UPPER[10], UPPER[5], LOWER[5]].map((index) => pointOf(mesh, index));
  return squareCrop(centroid(ends), distance3d(mesh, FOREHEAD, CHIN) * SIDE, eyeLineAngle(mesh), SIZE);
}

/** Point on a polyline. @param place index of a vertex, or a fraction between two */
function along(line: readonly Point[], place: number): Point {
  const index = Math.floor(place);
  return between(line[index]!, line[index + 1]!, place - index);
}

function between(p: Point, q: Point, share: number): Point {
  return { x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share };
}

/** Total variation along the segment between two points. */
function variation(values: Float32Array, from: Point, to: Point): number {
  if (distance(from, to) === 0) return 0;
  const walk = Array.from({ length: ROWS }, (_, row) => valueAt(values, between(from, to, row / (ROWS - 1))));
  return walk.slice(1).reduce((sum, value, row) => sum + Math.abs(value - walk[row]!), 0);
}

/** Bilinear; pixel i covers i…i+1, the edge is repeated outside. */
function valueAt(values: Float32Array, point: Point): number {
  const inside = (place: number) => Math.max(0, Math.min(SIZE - 1, place - 0.5));
  const [x, y] = [inside(point.x), inside(point.y)];
  const [left, top] = [Math.min(SIZE - 2, Math.floor(x)), Math.min(SIZE - 2, Math.floor(y))];
  const at = top * SIZE + left;
  const row = (start: number) => values[start]! + (values[start + 1]! - values[start]!) * (x - left);
  return row(at) + (row(at + SIZE) - row(at)) * (y - top);
}

/** Mesh points of the inner edge of the upper and lower lip, and of the two inner corners. */
const LIPS = [13, 14] as const;
const LIP_CORNERS = [78, 308] as const;

/**
 * Square root of the gap of the lips over the width of the mouth, in space: about 0.1 when closed, 0.45 and more when
 * open. The root evens out the larger differences between wide open mouths.
 */
export function mouthOpenness(mesh: Mesh): number {
  return Math.sqrt(distance3d(mesh, ...LIPS) / distance3d(mesh, ...LIP_CORNERS));
}

/** Measures of an open mouth. */
export interface MouthMeasures {
  /** `mouthOpenness` */
  readonly openness: number;
  /** `lipContrast` */
  readonly contrast: number;
}

/** @param mesh in pixels of the picture that the sampler cuts from */
export function measureMouth(from: Sampler, mesh: Mesh): MouthMeasures {
  return { openness: mouthOpenness(mesh), contrast: lipContrast(from, mesh) };
}

/** Log odds (natural logarithm) that the mouth is open, both states being equally likely beforehand. */
export function mouthOdds(seen: MouthMeasures): number {
  const { openness, contrast, bias } = states.mouth;
  return openness * seen.openness + contrast * seen.contrast + bias;
}

/**
 * Least mask score at which a mouth measured as open is reported as masked: on `dev`, 7 % of masked faces and about half
 * of the others are measured as open (0.5 / (0.5 + 0.07)).
 */
const MIN_MASK_SCORE = 0.88;

/**
 * State of the mouth; `masked` behind a mask, where the lips of the mesh are not measured.
 * @param odds log odds (natural logarithm) of an open mouth
 * @param mask decision and probability, 0…1
 */
export function estimateMouth(
  odds: number,
  mask: { readonly worn: boolean; readonly score: number },
): StateEstimate<'open' | 'closed' | 'masked'> {
  const seen = estimateFromOdds(odds);
  const hidden = mask.worn && (seen.state === 'closed' || mask.score >= MIN_MASK_SCORE);
  return hidden ? { state: 'masked', score: mask.score } : seen;
}

/** Log odds of an open mouth by the narrow mesh where they are clear, else by all passes. */
export async function mouthInPasses(from: Sampler, passes: MeshPasses): Promise<number> {
  const quick = mouthOdds(measureMouth(from, await passes.narrow()));
  return areClear(estimateFromOdds(quick)) ? quick : mouthOdds(measureMouth(from, await passes.all()));
}

/** What a mask is told from, and its weights, written by `lab/src/training/train-mask.ts`. */
const MODELS = {
  /** Statistics of the built-in embedder's last feature map, 512 values. */
  map: readLearned('mask-map.json', regressionSchema),
  /** Output of the features network for the aligned face, 1024 values: where the embedder is another pack's. */
  features: readLearned('mask-features.json', regressionSchema),
} as const;

/** Probability from which a mask is reported as worn. */
export const MASK_THRESHOLD = 0.5;

/**
 * Probability (0…1, at even prior odds) that the face wears a mask: logistic regression.
 * @throws RangeError for another number of values
 */
export function maskScore(of: keyof typeof MODELS, values: Float32Array): number {
  return probabilityBy(MODELS[of], values, ['mask', of]);
}
