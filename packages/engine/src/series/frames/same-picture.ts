import { bandPass } from '../../imaging/gaussian-blur.ts';
import { combineColumns, fitColumns } from '../../imaging/least-squares.ts';
import type { AlignedFaceImage } from '../../types.ts';
import {
  type AlignmentTarget,
  alignmentTarget,
  alignTo,
  identityMap,
  type WarpedPlane,
  warpPlane,
  warpPlaneCubic,
} from './affine-alignment.ts';
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
export interface SamePictureQuery {
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
