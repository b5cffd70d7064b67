import { apply, around, compose, distance, fitSimilarity, invert, middle } from '../../imaging/geometry.ts';
import type { Crop, Sampler } from '../../imaging/sampler.ts';
import type { Point } from '../../types.ts';
import { landmarksOf, type Mesh, OUTLINE, pointOf } from '../mesh/mesh.ts';

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

/** Corners of the convex hull, in order around it (monotone chain: A. M. Andrew, 1979). */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((p, q) => p.x - q.x || p.y - q.y);
  return [...halfHull(sorted), ...halfHull(sorted.toReversed())];
}

/** One side of the hull, without its last corner. */
function halfHull(sorted: readonly Point[]): Point[] {
  const corners: Point[] = [];
  for (const point of sorted) {
    while (corners.length > 1 && turn(corners.at(-2)!, corners.at(-1)!, point) <= 0) corners.pop();
    corners.push(point);
  }
  return corners.slice(0, -1);
}

function turn(o: Point, p: Point, q: Point): number {
  return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
}

/** Mask of the pixels whose centre is inside of a convex polygon: 1 inside, 0 outside, row-major. */
function fillConvex(corners: readonly Point[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const [left, right] = crossings(corners, y + 0.5);
    const first = Math.max(0, Math.ceil(left - 0.5));
    const end = Math.min(width, Math.floor(right - 0.5) + 1);
    if (end > first) mask.fill(1, y * width + first, y * width + end);
  }
  return mask;
}

/** Least and largest x where a horizontal line crosses the edges. */
function crossings(corners: readonly Point[], y: number): [number, number] {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  corners.forEach((p, i) => {
    const q = corners[(i + 1) % corners.length]!;
    if (p.y <= y === q.y <= y) return;
    const x = p.x + ((y - p.y) / (q.y - p.y)) * (q.x - p.x);
    left = Math.min(left, x);
    right = Math.max(right, x);
  });
  return [left, right];
}

/** A square of a portrait, pixels of its crop; may reach beyond the edges. */
export interface Zone {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Side of a zone over the distance of the eyes. */
const SIDE = 0.3;

/**
 * The measurement zones of the person's right and left cheek: halfway between eyes and mouth, from the line through the
 * eye outwards.
 */
export function cheekZones({ fromPicture }: Portrait, points: FacePoints): [right: Zone, left: Zone] {
  const [rightEye, leftEye] = [fromPicture(points.rightEye), fromPicture(points.leftEye)];
  const side = Math.max(1, Math.floor(distance(rightEye, leftEye) * SIDE));
  const down = distance(middle(rightEye, leftEye), fromPicture(points.mouth)) / 2;
  const zone = (x: number, y: number) => ({ x: Math.round(x), y: Math.round(y + down), side });
  return [zone(rightEye.x - side, rightEye.y), zone(leftEye.x, leftEye.y)];
}
