import { bandPass } from '../../imaging/gaussian-blur.ts';
import { combineColumns, fitColumns, solveLinear } from '../../imaging/least-squares.ts';
import type { AlignedFaceImage } from '../../types.ts';
import {
  DETAIL_PIXELS,
  DETAIL_SIDE,
  type DetailPlane,
  detailPlane,
  parseFrameDetail,
} from './frame-detail.ts';
import { CANDIDATE_LIMIT, hashDistance, hashProbesOf, hashWords } from './hash-distance.ts';

/** Bands that the alignment follows, coarse then fine: standard deviations of the two blurs, pixels of a detail. */
const COARSE = [1, 3] as const;
const FINE = [0.35, 1.75] as const;
/** Correlation of the coarse bands below which two details are of different pictures. */
const COARSE_CORRELATION = 0.85;
/** Band in which a changed picture still agrees with its original. Compression changes finer detail. */
const COMPARED = [1, 4] as const;
/** Variance in that band, in squared levels of brightness, that compression and rounding leave of any picture. */
const NOISE = 0.06;
/** Least variance of a frame in that band: with less, there is nothing to compare. */
const MIN_VARIANCE = 5;
/** Least share of the pixels that both pictures must have. */
const MIN_SHARED = 0.35;

/**
 * Largest difference of one picture in two encodings. The least of 4,800 pairs of two photographs of a person (`dev`: a
 * tripod, selfies, drivers, frames of nine films more than a second apart) is 0.0022.
 */
const SAME_PICTURE_LIMIT = 0.0016;

/** Compares one frame with the details of others. */
interface SamePictureQuery {
  /**
   * Share of the variance of this frame's detail, 0…1, that another detail does not explain, beyond the noise of
   * compression; 1 when they cannot be compared.
   * @throws RangeError when the detail has not 2,592 bytes
   */
  difference(detail: Uint8Array): number;
  /**
   * Whether the other frame is the same picture, perhaps encoded again, scaled, cropped, turned, mirrored or recoloured.
   * @param mirrored compares only the mirror image, or only the frame as it is; undefined: both
   */
  isSamePicture(detail: Uint8Array, mirrored?: boolean): boolean;
}

/**
 * Prepares a comparison that separates one picture in two encodings from two photographs of a person who does not move.
 * The other detail is aligned by an affine map; a curve of its brightness and its sharpness are fitted, which is all that a
 * program changes; what remains is compared. In two photographs every part of the face has moved by some tenth of a pixel
 * of its own and the light has changed. `evaluation/results/liveness-checks.json` says how the limit was chosen.
 */
export function samePictureQuery(image: AlignedFaceImage): SamePictureQuery {
  const known = new Map<boolean, Side>();
  const sideWhen = (mirrored: boolean) => {
    const side = known.get(mirrored) ?? sideOf(detailPlane(image, mirrored));
    known.set(mirrored, side);
    return side;
  };
  const differences = (detail: Uint8Array, sides: readonly boolean[]) => {
    const other = otherOf(detail);
    return sides.map((mirrored) => differenceOf(sideWhen(mirrored), other));
  };
  return {
    difference: (detail) => Math.min(...differences(detail, [false, true])),
    isSamePicture: (detail, mirrored) =>
      differences(detail, mirrored === undefined ? [false, true] : [mirrored]).some(
        (difference) => difference < SAME_PICTURE_LIMIT,
      ),
  };
}

/** The frame, or its mirror image. */
interface Side extends DetailPlane {
  readonly coarse: AlignmentTarget;
  readonly fine: AlignmentTarget;
}

function sideOf({ luma, usable }: DetailPlane): Side {
  const target = (band: readonly [number, number]) =>
    alignmentTarget(bandPass(luma, DETAIL_SIDE, ...band), usable, DETAIL_SIDE);
  return { luma, usable, coarse: target(COARSE), fine: target(FINE) };
}

function otherOf(detail: Uint8Array) {
  const { luma, usable } = parseFrameDetail(detail);
  return {
    luma,
    usable: Float32Array.from(usable),
    coarse: bandPass(luma, DETAIL_SIDE, ...COARSE),
    fine: bandPass(luma, DETAIL_SIDE, ...FINE),
  };
}

function differenceOf(side: Side, other: ReturnType<typeof otherOf>): number {
  const rough = alignTo(side.coarse, other.coarse, identityMap);
  if (rough.correlation < COARSE_CORRELATION) return 1;
  const { map } = alignTo(side.fine, other.fine, rough.map);
  const warped = warpPlaneCubic(other.luma, DETAIL_SIDE, map);
  const valid = warpPlane(other.usable, DETAIL_SIDE, map);
  const shared = side.usable.map((own, i) => (own && valid.usable[i] && valid.plane[i]! > 0.99 ? 1 : 0));
  if (shared.reduce((sum, one) => sum + one, 0) < MIN_SHARED * DETAIL_PIXELS) return 1;
  const fitted = fit(side.luma, warped, shared);
  const rest = side.luma.map((value, i) => (shared[i] ? value - fitted[i]! : 0));
  const variance = varianceOf(side.luma, shared);
  if (variance < MIN_VARIANCE) return 1;
  return Math.min(1, Math.max(0, varianceOf(rest, shared) - NOISE) / variance);
}

/** A larger one would change the fit: powers of brightness are nearly equal in a dull picture. */
const RIDGE = 1e-9;

/** The least squares fit of a brightness curve (a cubic) and of a change of sharpness. */
function fit(luma: Float32Array, { plane }: WarpedPlane, shared: Uint8Array): Float64Array {
  const detail = bandPass(plane, DETAIL_SIDE, 0, 0.7);
  const scaled = plane.map((value) => value / 128 - 1);
  const basis = [
    new Float32Array(plane.length).fill(1),
    scaled,
    scaled.map((value) => value ** 2),
    scaled.map((value) => value ** 3),
    detail,
  ];
  return combineColumns(basis, fitColumns(basis, luma, shared, RIDGE));
}

function product(a: Float32Array, b: Float32Array, shared: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if (shared[i]) sum += a[i]! * b[i]!;
  return sum;
}

/** Variance in the compared band. */
function varianceOf(plane: Float32Array, shared: Uint8Array): number {
  const band = bandPass(plane, DETAIL_SIDE, ...COMPARED);
  return product(band, band, shared) / shared.reduce((sum, one) => sum + one, 0);
}

/** What is kept of a frame to recognise it. */
export interface FrameTrace {
  /** `PerceptualHash.bits`, 128 bytes. */
  readonly bits: Uint8Array;
  /** Result of `frameDetailOf`, 2,592 bytes. */
  readonly detail: Uint8Array;
}

/**
 * Prepares the comparison of one frame with others: the perceptual hash rejects most of them, the detail decides.
 * @returns whether another frame is the same picture
 * @example
 * const isAgain = sameFrameQuery(hash.image);
 * isAgain({ bits: hash.bits, detail: frameDetailOf(hash.image) }); // true
 */
export function sameFrameQuery(image: AlignedFaceImage): (trace: FrameTrace) => boolean {
  const probes = hashProbesOf(image);
  let query: ReturnType<typeof samePictureQuery> | undefined;
  return ({ bits, detail }) => {
    const words = hashWords(bits);
    return probes.some((probe, mirrored) => {
      if (hashDistance(probe, words) > CANDIDATE_LIMIT) return false;
      query ??= samePictureQuery(image);
      return query.isSamePicture(detail, mirrored === 1);
    });
  };
}

/** Affine map about the centre of a square plane: u' = (1 + a) u + b v + x, v' = c u + (1 + d) v + y, in pixels. */
type AffineMap = readonly [a: number, b: number, c: number, d: number, x: number, y: number];

const identityMap: AffineMap = [0, 0, 0, 0, 0, 0];

/** A plane that others are aligned to, with what does not depend on them. */
interface AlignmentTarget {
  readonly side: number;
  readonly plane: Float32Array;
  /** 1 where the plane is valid. */
  readonly usable: Uint8Array;
  /** Derivatives of each pixel by the six parameters. */
  readonly slopes: Float32Array;
}

/** A plane sampled under a map; `usable` is 0 beyond its edges. */
interface WarpedPlane {
  readonly plane: Float32Array;
  readonly usable: Uint8Array;
}

const PARAMETERS = 6;
const ROUNDS = 12;
/** Rounds without a higher correlation after which the search ends. */
const MAX_ROUNDS_WITHOUT_GAIN = 2;
/** Movement of the corners, in pixels, below which the search ends. */
const STILL = 0.005;

function alignmentTarget(plane: Float32Array, usable: Uint8Array, side: number): AlignmentTarget {
  const slopes = new Float32Array(plane.length * PARAMETERS);
  const middle = (side - 1) / 2;
  for (let row = 1; row < side - 1; row++) {
    for (let column = 1; column < side - 1; column++) {
      const i = row * side + column;
      const [u, v] = [column - middle, row - middle];
      const along = (plane[i + 1]! - plane[i - 1]!) / 2;
      const down = (plane[i + side]! - plane[i - side]!) / 2;
      slopes.set([along * u, along * v, down * u, down * v, along, down], i * PARAMETERS);
    }
  }
  return { side, plane, usable, slopes };
}

/**
 * Finds the affine map under which a plane resembles the target best, to hundredths of a pixel, by inverse compositional
 * search (S. Baker and I. Matthews, "Lucas-Kanade 20 years on", 2004), with a free gain between the two.
 * @returns the map with the highest correlation, −1…1, over the pixels that both have
 */
function alignTo(
  target: AlignmentTarget,
  plane: Float32Array,
  from: AffineMap,
): { readonly map: AffineMap; readonly correlation: number } {
  let map = from;
  let best = { map, correlation: -1 };
  let withoutGain = 0;
  for (let round = 0; round < ROUNDS && withoutGain < MAX_ROUNDS_WITHOUT_GAIN; round++) {
    const warped = warpPlane(plane, target.side, map);
    const { correlation, gain } = compare(target, warped);
    withoutGain = correlation > best.correlation ? 0 : withoutGain + 1;
    if (correlation > best.correlation) best = { map, correlation };
    const step = stepOf(target, warped, gain);
    if (!step) break;
    map = composeInverse(map, step);
    if (step.every((part, i) => Math.abs(part) * (i < 4 ? target.side / 2 : 1) < STILL)) break;
  }
  return best;
}

/** Bilinear. */
function warpPlane(plane: Float32Array, side: number, map: AffineMap): WarpedPlane {
  return warp(side, map, (left, top, fx, fy) => {
    const at = top * side + left;
    const upper = plane[at]! + (plane[at + 1]! - plane[at]!) * fx;
    const lower = plane[at + side]! + (plane[at + side + 1]! - plane[at + side]!) * fx;
    return upper + (lower - upper) * fy;
  });
}

/** As `warpPlane`, bicubic (R. Keys, 1981, a = −0.5), which blurs less where it samples between pixels. */
function warpPlaneCubic(plane: Float32Array, side: number, map: AffineMap): WarpedPlane {
  const clamp = (i: number) => Math.max(0, Math.min(side - 1, i));
  return warp(side, map, (left, top, fx, fy) => {
    const [columns, rows] = [cubicWeights(fx), cubicWeights(fy)];
    let sum = 0;
    for (let j = 0; j < 4; j++) {
      const row = clamp(top + j - 1) * side;
      let line = 0;
      for (let i = 0; i < 4; i++) line += columns[i]! * plane[row + clamp(left + i - 1)]!;
      sum += rows[j]! * line;
    }
    return sum;
  });
}

/** @param sample value of the plane right of and below a pixel by `fx` and `fy`, 0…1 */
function warp(
  side: number,
  [a, b, c, d, x, y]: AffineMap,
  sample: (left: number, top: number, fx: number, fy: number) => number,
): WarpedPlane {
  const result = { plane: new Float32Array(side ** 2), usable: new Uint8Array(side ** 2) };
  const middle = (side - 1) / 2;
  const last = side - 1.001;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [u, v] = [column - middle, row - middle];
      const across = middle + (1 + a) * u + b * v + x;
      const down = middle + c * u + (1 + d) * v + y;
      if (!(across >= 0 && down >= 0 && across <= last && down <= last)) continue;
      const [left, top] = [across | 0, down | 0];
      result.plane[row * side + column] = sample(left, top, across - left, down - top);
      result.usable[row * side + column] = 1;
    }
  }
  return result;
}

function cubicWeights(t: number): readonly [number, number, number, number] {
  const [t2, t3] = [t * t, t * t * t];
  return [-t / 2 + t2 - t3 / 2, 1 - 2.5 * t2 + 1.5 * t3, t / 2 + 2 * t2 - 1.5 * t3, (t3 - t2) / 2];
}

function compare({ plane, usable }: AlignmentTarget, warped: WarpedPlane) {
  let [own, other, both] = [0, 0, 0];
  for (let i = 0; i < plane.length; i++) {
    if (!usable[i] || !warped.usable[i]) continue;
    const [p, q] = [plane[i]!, warped.plane[i]!];
    own += p * p;
    other += q * q;
    both += p * q;
  }
  return {
    correlation: both / Math.sqrt(own * other + 1e-9),
    gain: other > 0 ? Math.max(0.05, both / other) : 1,
  };
}

function stepOf({ plane, usable, slopes }: AlignmentTarget, warped: WarpedPlane, gain: number) {
  const matrix = Array.from({ length: PARAMETERS }, () => new Float64Array(PARAMETERS));
  const right = new Float64Array(PARAMETERS);
  for (let i = 0; i < plane.length; i++) {
    if (!usable[i] || !warped.usable[i]) continue;
    const error = gain * warped.plane[i]! - plane[i]!;
    for (let r = 0, at = i * PARAMETERS; r < PARAMETERS; r++) {
      const slope = slopes[at + r]!;
      right[r]! += slope * error;
      const row = matrix[r]!;
      for (let k = 0; k <= r; k++) row[k]! += slope * slopes[at + k]!;
    }
  }
  for (let r = 0; r < PARAMETERS; r++) {
    for (let k = 0; k < r; k++) matrix[k]![r] = matrix[r]![k]!;
    matrix[r]![r]! *= 1.001;
  }
  return solveLinear(matrix, right);
}

/** `map` after the inverse of `step`. */
function composeInverse(map: AffineMap, step: Float64Array): AffineMap {
  const [a, b, c, d, x, y] = step as unknown as AffineMap;
  const size = (1 + a) * (1 + d) - b * c;
  const inverse = [(1 + d) / size, -b / size, -c / size, (1 + a) / size] as const;
  const shift = [-(inverse[0] * x + inverse[1] * y), -(inverse[2] * x + inverse[3] * y)] as const;
  const [p, q, r, s] = [1 + map[0], map[1], map[2], 1 + map[3]];
  return [
    p * inverse[0] + q * inverse[2] - 1,
    p * inverse[1] + q * inverse[3],
    r * inverse[0] + s * inverse[2],
    r * inverse[1] + s * inverse[3] - 1,
    p * shift[0] + q * shift[1] + map[4],
    r * shift[0] + s * shift[1] + map[5],
  ];
}
