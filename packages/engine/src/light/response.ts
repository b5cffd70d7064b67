import { fitRotation, type Matrix3, rotate } from '../imaging/geometry-3d.ts';
import { type Columns, combineColumns, fitColumns, weightedMean } from '../imaging/least-squares.ts';
import { MEAN_FACE, POINTS } from '../stages/mesh/mean-face.ts';
import type { FaceColours } from '../types.ts';

/** A face of one frame, analysed with `mesh` and `colours`. */
export interface FaceWithColours {
  readonly mesh?: Float32Array;
  readonly colours?: FaceColours;
}

/** How the light on a face changed from frame to frame. */
export interface LightChanges {
  /**
   * For each frame and channel, light with the pattern of a head that a screen at the camera lights, as a share of the
   * face's ambient light, less its mean over the frames: 0.1 is a tenth of the ambient light more than the mean.
   */
  readonly relief: readonly (readonly number[])[];
  /**
   * For each frame and channel, the logarithm of the mean light of the face, less its means over channels and frames:
   * what tints the face, whatever the pattern. Exposure is no part of it, since it is common to the channels.
   */
  readonly tint: readonly (readonly number[])[];
}

/** Points of skin without which nothing is measured: a third of those that a frontal face shows. */
const LEAST_POINTS = 80;
/** Least linear value that a ratio is taken of: below it noise and rounding exceed a tenth. */
const LEAST_LIGHT = 2e-4;
/** Least share of its mean that the estimated ambient light has anywhere. */
const LEAST_AMBIENT = 0.3;
/** Rounds of reweighting, and the residual in standard deviations from which a point counts less (Huber, 1964). */
const ROUNDS = 4;
const HUBER = 1.5;
/** Median absolute deviation of a normal distribution to its standard deviation. */
const MAD = 1.4826;

/**
 * Measures how much of the change of light between frames has the pattern of a head that a screen lights.
 *
 * The linear colour of skin point k in channel c of frame t is modelled as
 * `I(t,c,k) = g(t,c) · ρ(c,k) · (A(c,k) + e(t,c) · s(k))` with the reflectance ρ, the ambient light A, the light e of the
 * screen, the gain g of exposure and white balance, and the pattern s of `litSkin`. The ratio to the mean over the frames
 * has no reflectance: `1 + e · s / A`, times a gain. Its least-squares fit has, besides `s / A`, these patterns, which no
 * answer of a head needs and which other changes explain: a constant (gain, tint), two gradients (a tilted plane, a moving
 * lamp), and `1 / I` (light that a pane mirrors, which does not depend on the skin). What is left of `s / A` is the answer.
 *
 * Ratios between frames are those of "Aurora Guard" (Liu et al., 2019), the geometry that of "Face Flashing" (Tang et al.,
 * 2018), the fit of low-dimensional light that of Basri and Jacobs (2003).
 * @param faces one for each light, in order, two or more
 * @returns undefined when fewer than 80 points of skin are seen in all frames, not over- or underexposed
 */
export function lightChanges(faces: readonly FaceWithColours[]): LightChanges | undefined {
  const seen = faces.flatMap(({ mesh, colours }) => (mesh && colours ? { mesh, rgb: colours.rgb } : []));
  if (seen.length < faces.length) return undefined;
  const points = skinPoints().filter(({ index }) =>
    seen.every(({ rgb }) => [0, 1, 2].every((channel) => rgb[3 * index + channel]! > LEAST_LIGHT)),
  );
  if (points.length < LEAST_POINTS) return undefined;
  const skin = litSkin(points, fitRotation(MEAN_FACE, seen[seen.length >> 1]!.mesh));
  const channels = [0, 1, 2].map((channel) => {
    const light = seen.map(({ rgb }) => Float64Array.from(points, ({ index }) => rgb[3 * index + channel]!));
    return channelChanges(points, skin, light);
  });
  const byFrame = (of: 'relief' | 'level') => faces.map((_, t) => channels.map((channel) => channel[of][t]!));
  return { relief: centred(byFrame('relief')), tint: centred(byFrame('level').map(withoutMean)) };
}

/** Logarithms less their mean. */
function withoutMean(levels: readonly number[]): number[] {
  const logs = levels.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  return logs.map((value) => value - mean);
}

/** Rows less the mean row. */
function centred(rows: readonly (readonly number[])[]): number[][] {
  const means = rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
  return rows.map((row) => row.map((value, i) => value - means[i]!));
}

/** Mean light and light of the relief in one channel, by frame. @param light of each point, by frame */
function channelChanges(points: readonly SkinPoint[], skin: LitSkin, light: readonly Float64Array[]) {
  // Points at a slant are measured worse: the mesh errs most there.
  const facing = Float64Array.from(points, (_, k) => Math.max(0, -skin.normals[3 * k + 2]!) ** 2);
  const level = light.map((frame) => weightedMean(frame, facing));
  const equalised = light.map((frame, t) => frame.map((value) => value / level[t]!));
  const mean = facing.map((_, k) => equalised.reduce((sum, frame) => sum + frame[k]!, 0) / light.length);
  const patterns = patternsOf(points, skin, mean, facing);
  const relief = equalised.map((frame) => {
    const ratio = frame.map((value, k) => value / mean[k]!);
    return robustFit(patterns, ratio, facing).at(-1)!;
  });
  return { level, relief };
}

/** The patterns that are fitted to a ratio; the last one is that of the screen's light on a head. */
function patternsOf(
  points: readonly SkinPoint[],
  skin: LitSkin,
  mean: Float64Array,
  facing: Float64Array,
): Columns {
  const basis = harmonics(skin.normals);
  const shading = combineColumns(basis, fitColumns(basis, mean, facing));
  return [
    mean.map(() => 1),
    Float64Array.from(points, ({ place }) => place[0]),
    Float64Array.from(points, ({ place }) => place[1]),
    mean.map((value) => 1 / value),
    skin.screenLight.map((value, k) => value / Math.max(LEAST_AMBIENT, shading[k]!)),
  ];
}

/** Least squares, reweighted so that points with large residuals (hair, gloss, an error of the mesh) count less. */
function robustFit(patterns: Columns, values: Float64Array, weights: Float64Array): Float64Array {
  let fitted = fitColumns(patterns, values, weights);
  for (let round = 1; round < ROUNDS; round++) {
    const model = combineColumns(patterns, fitted);
    const residuals = values.map((value, k) => Math.abs(value - model[k]!));
    const limit = HUBER * MAD * [...residuals].sort((a, b) => a - b)[residuals.length >> 1]! + 1e-9;
    fitted = fitColumns(
      patterns,
      values,
      weights.map((weight, k) => weight * Math.min(1, limit / (residuals[k]! + 1e-12))),
    );
  }
  return fitted;
}

/** Assumed distance of face and screen, in half widths of a face (7 cm): an arm's length of 38 cm. */
const SCREEN_DISTANCE = 5.5;

/** Normals and light of points of skin, as seen by the camera. */
interface LitSkin {
  /** x, y, z of each outward unit normal in the axes of the camera: x to the right, y down, z away. */
  readonly normals: Float32Array;
  /** Light of the screen at each point, mean 1. */
  readonly screenLight: Float64Array;
}

/**
 * Light of a small screen at the camera on the points of a turned head: the cosine of Lambert's law over the squared
 * distance (Basri and Jacobs, "Lambertian Reflectance and Linear Subspaces", 2003; near light as in "Face Flashing", Tang
 * et al., 2018).
 * @param rotation from the mean face to the face as seen
 */
function litSkin(points: readonly SkinPoint[], rotation: Matrix3): LitSkin {
  const normals = rotate(
    rotation,
    points.flatMap(({ normal }) => [...normal]),
  );
  const places = rotate(
    rotation,
    points.flatMap(({ place }) => [...place]),
  );
  const light = Float64Array.from(points, (_, k) => {
    const [nx, ny, nz] = normals.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
    const [x, y, z] = places.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
    const [lx, ly, lz] = [-x, -y, -SCREEN_DISTANCE - z];
    const away = Math.hypot(lx, ly, lz);
    return Math.max(0, nx * lx + ny * ly + nz * lz) / away ** 3;
  });
  const mean = light.reduce((sum, value) => sum + value, 0) / light.length;
  return { normals, screenLight: light.map((value) => value / mean) };
}

/**
 * Spherical harmonics of order 0 to 2, up to factors: under distant light the irradiance of a convex Lambertian surface is
 * within 1 % of their span (Basri and Jacobs, 2003).
 */
function harmonics(normals: Float32Array): Float64Array[] {
  const of = (value: (x: number, y: number, z: number) => number) =>
    Float64Array.from({ length: normals.length / 3 }, (_, k) =>
      value(normals[3 * k]!, normals[3 * k + 1]!, normals[3 * k + 2]!),
    );
  return [
    of(() => 1),
    of((x) => x),
    of((_, y) => y),
    of((_x, _y, z) => z),
    of((x, y) => x * y),
    of((x, _, z) => x * z),
    of((_, y, z) => y * z),
    of((x, y) => x * x - y * y),
    of((_x, _y, z) => 3 * z * z - 1),
  ];
}

/** Points of the contours of eyes, brows, lips and nostrils: their colour is not that of skin, or they move. */
const FEATURES = [
  33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246, 263, 249, 390, 373, 374, 380,
  381, 382, 362, 398, 384, 385, 386, 387, 388, 466, 70, 63, 105, 66, 107, 55, 65, 52, 53, 46, 300, 293, 334,
  296, 336, 285, 295, 282, 283, 276, 61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0,
  37, 39, 40, 185, 78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191,
  98, 327,
];
/** The outline of the mesh, where hair and the room behind begin. */
const OUTLINE = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
/** Distance from features and outline, in half widths of the face: a colour spans 0.03 of them to each side. */
const CLEARANCE = { features: 0.12, outline: 0.08 } as const;
/** Neighbours that a normal is fitted to. */
const NEIGHBOURS = 14;

/** A point of the mesh on bare skin. */
interface SkinPoint {
  /** 0…467 */
  readonly index: number;
  /** Position in the mean face: x to the left of the person, y down, z away from the camera; unit half the face width. */
  readonly place: readonly [number, number, number];
  /** Outward unit normal of the mean face; z is negative towards the camera. */
  readonly normal: readonly [number, number, number];
}

let found: readonly SkinPoint[] | undefined;

/** Points of the mesh on forehead, cheeks, nose and chin; found on the first use. */
function skinPoints(): readonly SkinPoint[] {
  found ??= Array.from({ length: POINTS }, (_, index) => index)
    .filter(
      (index) => isAway(index, FEATURES, CLEARANCE.features) && isAway(index, OUTLINE, CLEARANCE.outline),
    )
    .map((index) => ({ index, place: placeOf(index), normal: normalAt(index) }));
  return found;
}

function placeOf(index: number): readonly [number, number, number] {
  return [MEAN_FACE[3 * index]!, MEAN_FACE[3 * index + 1]!, MEAN_FACE[3 * index + 2]!];
}

function isAway(index: number, from: readonly number[], clearance: number): boolean {
  const [x, y, z] = placeOf(index);
  return from.every((other) => {
    const [ox, oy, oz] = placeOf(other);
    return Math.hypot(ox - x, oy - y, oz - z) >= clearance;
  });
}

/** Normal of the plane z = a + p·x + q·y that fits the neighbourhood best. */
function normalAt(index: number): readonly [number, number, number] {
  const [x, y] = placeOf(index);
  const near = Array.from({ length: POINTS }, (_, i) => placeOf(i))
    .sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y))
    .slice(0, NEIGHBOURS);
  const ones = near.map(() => 1);
  const [across, down, depth] = [0, 1, 2].map((axis) => near.map((place) => place[axis]!));
  const [, p, q] = fitColumns([ones, across!, down!], depth!, ones, 0);
  const length = Math.hypot(p!, q!, 1);
  return [p! / length, q! / length, -1 / length];
}
