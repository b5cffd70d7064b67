import { apply, around, compose, distance, fitSimilarity, invert, middle } from '../imaging/geometry.ts';
import type { Crop, Sampler } from '../imaging/sampler.ts';
import type { Box, Point, Pose, QualityComponent, QualityComponentName } from '../types.ts';
import { linearOf, sigmoid } from './maths.ts';
import { landmarksOf, type Mesh, OUTLINE, pointOf } from './mesh/mesh.ts';

/** A component whose value is rounded to an integer and limited to 0…100. */
export function component(name: QualityComponentName, native: number, value: number): QualityComponent {
  return { name, native, score: Math.round(Math.max(0, Math.min(100, value))) };
}

/** Logistic function around `centre`: one half there, steeper with a smaller `width` (`sigmoid(x, x0, w)` of OFIQ). */
function rise(x: number, centre: number, width: number): number {
  return sigmoid((x - centre) / width);
}

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
interface FacePoints {
  /** Middles of the corners of the person's own eyes, and of both. */
  readonly rightEye: Point;
  readonly leftEye: Point;
  readonly eyes: Point;
  readonly chin: Point;
  readonly mouth: Point;
  /** Distance from the middle of the eyes to the chin: the T of the standard. */
  readonly height: number;
}

function facePoints(mesh: Mesh): FacePoints {
  const between = ([from, to]: readonly [number, number]) => middle(pointOf(mesh, from), pointOf(mesh, to));
  const [rightEye, leftEye] = [between(EYE_CORNERS.right), between(EYE_CORNERS.left)];
  const eyes = middle(rightEye, leftEye);
  const chin = pointOf(mesh, CHIN);
  return { rightEye, leftEye, eyes, chin, mouth: between(INNER_LIPS), height: distance(eyes, chin) };
}

/** The part of the aligned face image around the face. */
interface Portrait {
  /** RGB 0…255. */
  readonly crop: Crop;
  /** 1 inside of the convex hull of brows, temples and jaw, else 0; row-major. */
  readonly face: Uint8Array;
  /** Maps pixels of the picture to those of the crop. */
  readonly fromPicture: (point: Point) => Point;
}

/** Cuts out the part of the aligned face image that contains the face; the rest of the 616 × 616 pixels is not used. */
function portraitOf(from: Sampler, mesh: Mesh): Portrait {
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
interface Zone {
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
function cheekZones({ fromPicture }: Portrait, points: FacePoints): [right: Zone, left: Zone] {
  const [rightEye, leftEye] = [fromPicture(points.rightEye), fromPicture(points.leftEye)];
  const side = Math.max(1, Math.floor(distance(rightEye, leftEye) * SIDE));
  const down = distance(middle(rightEye, leftEye), fromPicture(points.mouth)) / 2;
  const zone = (x: number, y: number) => ({ x: Math.round(x), y: Math.round(y + down), side });
  return [zone(rightEye.x - side, rightEye.y), zone(leftEye.x, leftEye.y)];
}

/** sRGB to CIE XYZ under illuminant D50, and the white of D50. */
const TO_XYZ = [
  [0.43605, 0.38508, 0.14309],
  [0.22249, 0.71689, 0.06062],
  [0.01393, 0.0971, 0.71419],
] as const;
const WHITE = [0.964221, 1, 0.825211] as const;
/** CIE 15: below `EPSILON` the cube root is replaced by a line of slope `KAPPA` / 116. */
const EPSILON = 216 / 24389;
const KAPPA = 24389 / 27;

/** Ranges of a* and b* of skin in natural colours. */
const SKIN = { a: [5, 25], b: [5, 35] } as const;
/** Native measure of a colour opposite to skin. */
const FARTHEST = 100;

/**
 * Natural colour by ISO/IEC 29794-5:2025 as OFIQ implements it: distance of the mean colour of both cheeks, in CIELAB,
 * from the range of skin. A greyscale picture has distance 0.
 */
function naturalColour(portrait: Portrait, points: FacePoints): QualityComponent {
  const native = isGrey(portrait) ? 0 : distanceFromSkin(cheekColour(portrait, points));
  return component('natural_colour', native, 200 * (1 - rise(native, 0, 10)));
}

function isGrey({ crop: { data, width, height } }: Portrait): boolean {
  const plane = width * height;
  const grey = (red: number, i: number) => red === data[i + plane] && red === data[i + 2 * plane];
  return data.subarray(0, plane).every(grey);
}

type Triple = readonly [number, number, number];

/** Mean red, green and blue of both zones, 0…1; pixels outside of the face count as black. */
function cheekColour(portrait: Portrait, points: FacePoints): Triple {
  const { crop, face } = portrait;
  const plane = crop.width * crop.height;
  const sums = [0, 0, 0];
  let count = 0;
  for (const { x, y, side } of cheekZones(portrait, points)) {
    count += side * side;
    for (let row = Math.max(0, y); row < Math.min(crop.height, y + side); row++) {
      for (let column = Math.max(0, x); column < Math.min(crop.width, x + side); column++) {
        const at = row * crop.width + column;
        if (face[at] === 1) for (let c = 0; c < 3; c++) sums[c]! += crop.data[at + c * plane]!;
      }
    }
  }
  const mean = (channel: number) => sums[channel]! / count / 255;
  return [mean(0), mean(1), mean(2)];
}

function distanceFromSkin(rgb: Triple): number {
  const { a, b } = chroma(rgb);
  if (a < 0 || b < 0) return FARTHEST;
  const beyond = (value: number, [least, most]: readonly [number, number]) =>
    Math.max(0, least - value, value - most);
  return Math.hypot(beyond(a, SKIN.a), beyond(b, SKIN.b));
}

/** a* and b* of CIELAB. */
function chroma(rgb: Triple): { a: number; b: number } {
  const linear = rgb.map(linearOf);
  const [x, y, z] = TO_XYZ.map((row, i) => {
    const ratio = row.reduce((sum, weight, c) => sum + weight * linear[c]!, 0) / WHITE[i]!;
    return ratio > EPSILON ? Math.cbrt(ratio) : (KAPPA * ratio + 16) / 116;
  }) as [number, number, number];
  return { a: 500 * (x - y), b: 200 * (y - z) };
}

/** Mesh points of the upper and lower lid at a quarter, half and three quarters of each eye, and of the inner lips. */
const LIDS = {
  right: [
    [160, 144],
    [159, 145],
    [158, 153],
  ],
  left: [
    [385, 380],
    [386, 374],
    [387, 373],
  ],
} as const;
const LIPS = [
  [81, 178],
  [13, 14],
  [311, 402],
] as const;

/** Head size at which the component is best: distance from eyes to chin over the height of the picture. */
const BEST_HEAD_SIZE = 0.45;

/**
 * Components of lids, lips, resolution and position, by the formulas of ISO/IEC 29794-5:2025 as OFIQ implements them.
 * Left and right are the person's own: the leftward crop is measured from the right eye to the left edge of the picture.
 * @param picture size of the upright picture, pixels
 */
function geometryComponents(
  mesh: Mesh,
  points: FacePoints,
  yaw: number,
  picture: { readonly width: number; readonly height: number },
): QualityComponent[] {
  const { rightEye, leftEye, eyes, height } = points;
  const apart = distance(rightEye, leftEye);
  const resolution = apart / Math.cos((yaw * Math.PI) / 180);
  const widest = (pairs: readonly (readonly [number, number])[]) =>
    Math.max(...pairs.map(([p, q]) => distance(pointOf(mesh, p), pointOf(mesh, q)))) / height;
  const lids = Math.min(widest(LIDS.right), widest(LIDS.left));
  const lips = widest(LIPS);
  const size = height / picture.height;
  const margin = (name: QualityComponent['name'], native: number, least: number) =>
    component(name, native, 100 * rise(native, least, 0.1));
  return [
    component('eyes_open', lids, 100 * rise(lids, 0.02, 0.01)),
    component('mouth_closed', lips, 100 * (1 - rise(lips, 0.2, 0.06))),
    component('inter_eye_distance', resolution, 100 * rise(resolution, 70, 20)),
    component('head_size', size, 200 * (1 - rise(Math.abs(size - BEST_HEAD_SIZE), 0, 0.05))),
    margin('leftward_crop_of_the_face_image', rightEye.x / apart, 0.9),
    margin('rightward_crop_of_the_face_image', (picture.width - leftEye.x) / apart, 0.9),
    margin('margin_above_of_the_face_image', eyes.y / height, 1.4),
    margin('margin_below_of_the_face_image', (picture.height - eyes.y) / height, 1.8),
  ];
}

/** Head pose: the squared cosine of each angle. */
function poseComponents({ yaw, pitch, roll }: Pose): QualityComponent[] {
  const angle = (name: QualityComponent['name'], degrees: number) =>
    component(name, degrees, 100 * Math.max(0, Math.cos((degrees * Math.PI) / 180)) ** 2);
  return [angle('head_pose_yaw', yaw), angle('head_pose_pitch', pitch), angle('head_pose_roll', roll)];
}

/** Single face present: area of the second largest face over that of the largest. */
function singleFacePresent(boxes: readonly Box[]): QualityComponent {
  const [largest = 0, second = 0] = boxes.map(({ width, height }) => width * height).sort((p, q) => q - p);
  const native = largest > 0 ? second / largest : 0;
  return component('single_face_present', native, 100 * (1 - native));
}

const LEVELS = 256;
/** Luminance levels that count as under- and overexposed, both ends included. */
const DARK = [0, 25] as const;
const BRIGHT = [247, 255] as const;

/** Linear value, 0…1, of each level of a channel. */
const LINEAR = Float64Array.from({ length: LEVELS }, (_, level) => linearOf(level / 255));

/**
 * Components of the light on the face, by the formulas of ISO/IEC 29794-5:2025 as OFIQ implements them: mean, variance
 * and entropy of the luminance in the region of the face, its share of dark and of bright pixels, and the overlap of the
 * histograms of both cheeks.
 */
function lightComponents(portrait: Portrait, points: FacePoints): QualityComponent[] {
  const luminance = luminanceOf(portrait);
  const face = shares(luminance.filter((_, i) => portrait.face[i] === 1));
  const mean = sumOf(face, (share, level) => (share * level) / 255);
  const variance = sumOf(face, (share, level) => share * (level / 255 - mean) ** 2);
  const entropy = sumOf(face, (share) => (share > 0 ? -share * Math.log2(share) : 0));
  const within = ([from, to]: readonly [number, number]) =>
    face.slice(from, to + 1).reduce((sum, share) => sum + share, 0);
  const [dark, bright] = [within(DARK), within(BRIGHT)];
  const even = evenness(luminance, portrait, points);
  return [
    component('illumination_uniformity', even, 100 * even ** 0.3),
    component('luminance_mean', mean, 100 * rise(mean, 0.2, 0.05) * (1 - rise(mean, 0.8, 0.05))),
    component(
      'luminance_variance',
      variance,
      100 * Math.sin(((60 * variance) / (60 * variance + 1)) * Math.PI),
    ),
    component('under_exposure_prevention', dark, 120 * (0.832 - rise(dark, 0.92, 0.05))),
    component('over_exposure_prevention', bright, 1 / (bright + 0.01)),
    component('dynamic_range', entropy, 12.5 * entropy),
  ];
}

/** Luminance in linear light (CIE Y of sRGB), 0…255, row-major; beyond the face as in the picture. */
function luminanceOf({ crop: { data, width, height } }: Portrait): Uint8Array {
  const plane = width * height;
  const linear = (at: number) => LINEAR[Math.max(0, Math.min(255, Math.round(data[at]!)))]!;
  return Uint8Array.from({ length: plane }, (_, i) => {
    const y = 0.2126 * linear(i) + 0.7152 * linear(i + plane) + 0.0722 * linear(i + 2 * plane);
    return Math.floor(255 * y + 0.5);
  });
}

/** Share of the values at each level; zeros when there are none. */
function shares(values: Uint8Array): Float64Array {
  const histogram = new Float64Array(LEVELS);
  for (const value of values) histogram[value]! += 1;
  return histogram.map((count) => count / Math.max(1, values.length));
}

function sumOf(histogram: Float64Array, term: (share: number, level: number) => number): number {
  return histogram.reduce((sum, share, level) => sum + term(share, level), 0);
}

/** Overlap of the histograms of both cheeks, 0 (no level in common) to 1. */
function evenness(luminance: Uint8Array, portrait: Portrait, points: FacePoints): number {
  const [right, left] = cheekZones(portrait, points).map((zone) => shares(inZone(luminance, portrait, zone)));
  return sumOf(right!, (share, level) => Math.min(share, left![level]!));
}

/** Values of a zone, 0 outside of the face. */
function inZone(luminance: Uint8Array, { crop, face }: Portrait, { x, y, side }: Zone): Uint8Array {
  const values = new Uint8Array(side * side);
  for (let i = 0; i < values.length; i++) {
    const [column, row] = [x + (i % side), y + Math.floor(i / side)];
    if (column < 0 || row < 0 || column >= crop.width || row >= crop.height) continue;
    const at = row * crop.width + column;
    values[i] = luminance[at]! * face[at]!;
  }
  return values;
}

/** A face whose quality components are measured. */
interface ComponentsInput {
  /** Pixels of the upright picture, whose size the sampler tells. */
  readonly mesh: Mesh;
  readonly pose: Pose;
  /** Boxes of all faces of the picture. */
  readonly faces: readonly Box[];
}

/**
 * The quality components of ISO/IEC 29794-5:2025 that need landmarks and head pose but no network of their own. Formulas
 * and mappings to 0…100 are those of OFIQ, the reference implementation of the standard (BSI, version 1.0.3), on this
 * engine's landmarks, alignment and angles. docs/dev/quality.md lists the differences and the components that are left out.
 */
export function qualityComponents(from: Sampler, { mesh, pose, faces }: ComponentsInput): QualityComponent[] {
  const points = facePoints(mesh);
  const portrait = portraitOf(from, mesh);
  return [
    ...lightComponents(portrait, points),
    naturalColour(portrait, points),
    singleFacePresent(faces),
    ...geometryComponents(mesh, points, pose.yaw, from),
    ...poseComponents(pose),
  ];
}
