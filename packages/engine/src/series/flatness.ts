import { apply, fitSimilarity } from '../imaging/geometry.ts';
import { sigmoid } from '../stages/states/logistic.ts';
import type { Point, Pose } from '../types.ts';
import { fitHomography } from './homography.ts';
import { angleBetween } from './turn.ts';

/** A face of one frame, analysed with `pose` and `mesh`. */
export interface FaceWithMesh {
  readonly pose?: Pose;
  readonly mesh?: Float32Array;
}

/** How far two meshes are from being one, over the spread of the points (root mean square of both ways). */
export interface Residuals {
  /** After turning, scaling and shifting the picture: how much the face changed its shape. */
  readonly similarity: number;
  /** After the best homography: what of that change no flat picture makes. */
  readonly homography: number;
}

/** Whether a series shows a flat picture that is moved, or a head that turns. */
export interface Flatness {
  /** Probability that it is flat, 0…1, where both are as likely beforehand; 0.5 when nothing turned enough. */
  readonly probability: number;
  /** Pairs of frames that it rests on; 0: nothing turned enough. */
  readonly pairs: number;
  /** Largest turn of the face between two frames, degrees. */
  readonly turn: number;
}

/**
 * Pairs whose faces are turned by less than this from each other say less, degrees: of 47 pairs of photographs of
 * one person that are turned by less, 3 look flat. A flat picture hardly gets there: one
 * that is tilted by 56° reads as turned by 7°.
 */
export const MIN_TURN_DEGREES = 10;
/** Nor do those that turn by less than this share of the largest turn: it says it better. */
const MIN_SHARE_OF_LARGEST = 0.5;
/** Nor do pairs whose shape hardly differs: the mesh itself trembles by about 0.007. */
const MIN_CHANGE = 0.05;
const MESH_NOISE = 0.01;

/**
 * Log odds of a flat picture from the logarithms of both misfits: logistic regression on pairs that are turned by 10° and
 * more from each other, photographed relief heads and tilted flat pictures of 18 people (tilts up to 50° in any
 * direction, the camera at 3.5 to 12 half widths of a face) and real pairs of `dev` (`bbt`, `public`); the constant is
 * lower by 0.9 than fitted, so that real people are refused more seldom. With people held out 88 of 88 turning heads are
 * told, 85 of 88 flat pictures that are tilted by 42° close to the camera, and 117 of 118 real pairs.
 */
const WEIGHTS = { similarity: 26.2, homography: -28.5, constant: -14.6 } as const;

/**
 * Tells a head that turns from a flat picture that is tilted. A flat picture moves all its points by one
 * homography; a head does not, for its nose is before its cheeks.
 */
export function flatnessOf(faces: readonly FaceWithMesh[]): Flatness {
  const pairs = faces.flatMap((a, i) => faces.slice(i + 1).map((b) => ({ a, b, turn: angleBetween(a, b) })));
  const turn = Math.max(0, ...pairs.map((pair) => pair.turn));
  const least = Math.max(MIN_TURN_DEGREES, MIN_SHARE_OF_LARGEST * turn);
  const odds = pairs.flatMap((pair) => (pair.turn >= least ? (oddsOf(pair.a, pair.b) ?? []) : []));
  if (odds.length === 0) return { probability: 0.5, pairs: 0, turn };
  const mean = odds.reduce((sum, value) => sum + value, 0) / odds.length;
  return { probability: sigmoid(mean), pairs: odds.length, turn };
}

/** Log odds that the pair is flat. */
function oddsOf({ mesh: a }: FaceWithMesh, { mesh: b }: FaceWithMesh): number | undefined {
  if (!a || !b) return undefined;
  const { similarity, homography } = residualsOf(a, b);
  if (similarity < MIN_CHANGE) return undefined;
  return (
    WEIGHTS.similarity * Math.log(similarity + MESH_NOISE) +
    WEIGHTS.homography * Math.log(homography + MESH_NOISE) +
    WEIGHTS.constant
  );
}

/** @param a and `b`: x, y, z of the same points in the same order; z is not used */
export function residualsOf(a: Float32Array, b: Float32Array): Residuals {
  const [p, q] = [normalised(a), normalised(b)];
  const both = (fit: (from: readonly Point[], to: readonly Point[]) => (point: Point) => Point) =>
    (rootMeanSquare(fit(p, q), p, q) + rootMeanSquare(fit(q, p), q, p)) / 2;
  return {
    similarity: both((from, to) => {
      const m = fitSimilarity(from, to);
      return (point) => apply(m, point);
    }),
    homography: both(fitHomography),
  };
}

/** About their centre, with a mean square of 2. */
function normalised(mesh: Float32Array): Point[] {
  const count = mesh.length / 3;
  let [x, y, square] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    x += mesh[3 * i]! / count;
    y += mesh[3 * i + 1]! / count;
  }
  for (let i = 0; i < count; i++) square += ((mesh[3 * i]! - x) ** 2 + (mesh[3 * i + 1]! - y) ** 2) / count;
  const unit = Math.sqrt(square / 2);
  return Array.from({ length: count }, (_, i) => ({
    x: (mesh[3 * i]! - x) / unit,
    y: (mesh[3 * i + 1]! - y) / unit,
  }));
}

function rootMeanSquare(map: (p: Point) => Point, from: readonly Point[], to: readonly Point[]): number {
  const squares = from.map((p, i) => {
    const seen = map(p);
    return (seen.x - to[i]!.x) ** 2 + (seen.y - to[i]!.y) ** 2;
  });
  return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
}
