import { apply, around, compose, distance, fitSimilarity, invert, middle } from '../../imaging/geometry.ts';
import type { Crop, Sampler } from '../../imaging/sampler.ts';
import type { Point } from '../../types.ts';
import { landmarksOf, type Mesh, OUTLINE, pointOf } from '../mesh/mesh.ts';
import { convexHull, fillConvex } from './convex.ts';

/**
 * Places of the right eye, left eye, nose tip, right and left mouth corner in the aligned face image, pixels of a square
 * of 616 (reference points of OFIQ, the reference implementation of ISO/IEC 29794-5).
 */
const PLACES: readonly Point[] = [
  { x: 251, y: 272 },
  { x: 364, y: 272 },
  { x: 308, y: 336 },
  { x: 262, y: 402 },
  { x: 355, y: 402 },
];

/** Mesh points of the corners of each eye, the person's own sides, of the chin and of the middles of the inner lips. */
const EYE_CORNERS = { right: [33, 133], left: [362, 263] } as const;
const CHIN = 152;
const INNER_LIPS = [13, 14] as const;

/** Points that several components are measured from; pixels of the upright picture. */
export interface FacePoints {
  /** Middles of the corners of the person's own eyes, and of both. */
  readonly rightEye: Point;
  readonly leftEye: Point;
  readonly eyes: Point;
  readonly chin: Point;
  readonly mouth: Point;
  /** Distance from the middle of the eyes to the chin: the T of the standard. */
  readonly height: number;
}

export function facePoints(mesh: Mesh): FacePoints {
  const between = ([from, to]: readonly [number, number]) => middle(pointOf(mesh, from), pointOf(mesh, to));
  const [rightEye, leftEye] = [between(EYE_CORNERS.right), between(EYE_CORNERS.left)];
  const eyes = middle(rightEye, leftEye);
  const chin = pointOf(mesh, CHIN);
  return { rightEye, leftEye, eyes, chin, mouth: between(INNER_LIPS), height: distance(eyes, chin) };
}

/** The part of the aligned face image around the face. */
export interface Portrait {
  /** RGB 0…255. */
  readonly crop: Crop;
  /** 1 inside of the convex hull of brows, temples and jaw, else 0; row-major. */
  readonly face: Uint8Array;
  /** Maps pixels of the picture to those of the crop. */
  readonly fromPicture: (point: Point) => Point;
}

/** Cuts out the part of the aligned face image that contains the face; the rest of the 616 × 616 pixels is not used. */
export function portraitOf(from: Sampler, mesh: Mesh): Portrait {
  const { rightEye, leftEye } = facePoints(mesh);
  const toAligned = fitSimilarity([rightEye, leftEye, ...landmarksOf(mesh).slice(2)], PLACES);
  const outline = convexHull(OUTLINE.map((index) => apply(toAligned, pointOf(mesh, index))));
  const box = around(outline);
  const [left, top] = [Math.floor(box.x), Math.floor(box.y)];
  const width = Math.ceil(box.x + box.width) - left;
  const height = Math.ceil(box.y + box.height) - top;
  const toCrop = compose({ a: 1, b: 0, tx: -left, c: 0, d: 1, ty: -top }, toAligned);
  return {
    crop: from.crop(invert(toCrop), width, height),
    face: fillConvex(
      outline.map(({ x, y }) => ({ x: x - left, y: y - top })),
      width,
      height,
    ),
    fromPicture: (point) => apply(toCrop, point),
  };
}
