import { sigmoid } from '../stages/maths.ts';
import type { Pose, SkinPatches } from '../types.ts';
import { angleBetween } from './flatness.ts';

/** Pixels of a patch of skin across and down. */
export const PATCH_SIDE = 22;
/** Largest offset, pixels, at which patches are compared: the error of the mesh. */
const SEARCH_RADIUS = 3;
const CORE = PATCH_SIDE - 2 * SEARCH_RADIUS;
/** Radius, pixels, of the mean that is subtracted: coarser structure is light and not skin. */
const BLUR_RADIUS = 3;
/** Least area of a patch, as a share of the median one, that is not seen at a slant. */
const MIN_AREA = 0.35;
/** Quantile of the patches' correlations that is reported: in the others the mesh is wrong or the patch is hidden. */
const QUANTILE = 0.75;
/** Angles between two heads, degrees: from `least` on skin looks different, up to `most` both show the same side. */
const TURN = { least: 12, most: 36 } as const;

/**
 * Correlation at which both classes are equally likely, and the slope of the logistic function there. Of 68 pairs of a
 * frontal and a turned face rendered from one picture (17 pictures of `dev` on the relief of the mean face), 84 % are
 * above it; of 224 pairs of real pictures of one person in different poses (`dev`: drivers filmed from the dashboard, and
 * sharp photographs, many of one sitting) none, with a largest correlation of 0.77.
 */
const MIDPOINT = 0.8;
const SLOPE = 0.02;

/** A face of one frame, analysed with `pose` and `skin`. */
export interface FaceWithSkin {
  readonly pose?: Pose;
  readonly skin?: SkinPatches;
}

/** Evidence that the skin of a turning head does not change, as in an animated picture. */
export interface Stillness {
  /** Probability of an animated picture, 0…1, at even prior odds; 0.5 without a pair to compare. */
  readonly probability: number;
  /** Mean correlation of the skin over the pairs, −1…1; 0 without a pair. */
  readonly correlation: number;
  /** Number of pairs of frames whose angle lies in the range that can be compared. */
  readonly pairs: number;
}

/**
 * Detects a single picture animated by a program, which keeps its skin to the pixel. Real skin looks different from every
 * side: light, gloss and pores change.
 */
export function stillnessOf(faces: readonly FaceWithSkin[]): Stillness {
  const skins = faces.map(({ skin }) => skin && skinDetailOf(skin));
  const correlations: number[] = [];
  for (const [i, a] of faces.entries()) {
    for (const [j, b] of faces.slice(0, i).entries()) {
      const [mine, other] = [skins[i], skins[j]];
      const turn = angleBetween(a, b);
      if (!mine || !other || turn < TURN.least || turn > TURN.most) continue;
      correlations.push(patchCorrelation(mine, other));
    }
  }
  const pairs = correlations.length;
  if (pairs === 0) return { probability: 0.5, correlation: 0, pairs };
  const correlation = correlations.reduce((total, one) => total + one, 0) / pairs;
  return { probability: sigmoid((correlation - MIDPOINT) / SLOPE), correlation, pairs };
}

interface SkinDetail {
  /** High-pass filtered patches. */
  readonly patches: readonly Float32Array[];
  /** For each patch, whether it is seen nearly from the front. */
  readonly frontal: readonly boolean[];
}

function skinDetailOf({ luma, areas }: SkinPatches): SkinDetail {
  const plane = PATCH_SIDE ** 2;
  const middle = [...areas].sort((a, b) => a - b)[areas.length >> 1]!;
  return {
    patches: Array.from(areas, (_, k) => highPass(luma.subarray(k * plane, (k + 1) * plane))),
    frontal: Array.from(areas, (area) => area > MIN_AREA * middle),
  };
}

/** Each pixel less the mean around it; the edge is repeated outside. */
function highPass(patch: Uint8Array): Float32Array {
  const clamp = (v: number) => Math.max(0, Math.min(PATCH_SIDE - 1, v));
  const width = 2 * BLUR_RADIUS + 1;
  const rows = new Float32Array(patch.length);
  const out = new Float32Array(patch.length);
  for (let y = 0; y < PATCH_SIDE; y++) {
    for (let x = 0; x < PATCH_SIDE; x++) {
      for (let d = -BLUR_RADIUS; d <= BLUR_RADIUS; d++)
        rows[y * PATCH_SIDE + x]! += patch[y * PATCH_SIDE + clamp(x + d)]!;
    }
  }
  for (let y = 0; y < PATCH_SIDE; y++) {
    for (let x = 0; x < PATCH_SIDE; x++) {
      let sum = 0;
      for (let d = -BLUR_RADIUS; d <= BLUR_RADIUS; d++) sum += rows[clamp(y + d) * PATCH_SIDE + x]!;
      out[y * PATCH_SIDE + x] = patch[y * PATCH_SIDE + x]! - sum / width ** 2;
    }
  }
  return out;
}

function patchCorrelation(a: SkinDetail, b: SkinDetail): number {
  const both = a.patches.flatMap((patch, k) =>
    a.frontal[k] && b.frontal[k] ? bestCorrelation(patch, b.patches[k]!) : [],
  );
  both.sort((x, y) => x - y);
  return both[Math.floor((both.length - 1) * QUANTILE)] ?? 0;
}

/** Largest correlation of the centre of `a` with `b` over all offsets. */
function bestCorrelation(a: Float32Array, b: Float32Array): number {
  let best = -1;
  for (let y = 0; y <= 2 * SEARCH_RADIUS; y++) {
    for (let x = 0; x <= 2 * SEARCH_RADIUS; x++) best = Math.max(best, correlation(a, b, x, y));
  }
  return best;
}

function correlation(a: Float32Array, b: Float32Array, x: number, y: number): number {
  let [sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let v = 0; v < CORE; v++) {
    const p = (v + SEARCH_RADIUS) * PATCH_SIDE + SEARCH_RADIUS;
    const q = (v + y) * PATCH_SIDE + x;
    for (let u = 0; u < CORE; u++) {
      const [left, right] = [a[p + u]!, b[q + u]!];
      sa += left;
      sb += right;
      aa += left * left;
      bb += right * right;
      ab += left * right;
    }
  }
  const n = CORE ** 2;
  const spread = Math.sqrt(Math.max(0, aa - (sa * sa) / n) * Math.max(0, bb - (sb * sb) / n));
  return (ab - (sa * sb) / n) / (spread + 1e-3);
}
