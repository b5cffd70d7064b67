import { gaussianBlur } from '../imaging/gaussian-blur.ts';
import { PATCH_SIDE } from '../stages/mesh/skin-places.ts';
import type { SkinPatches } from '../types.ts';
import { lessQuadratic } from './quadratic.ts';

/** Largest offset, pixels, at which patches are compared: the error of the mesh. */
const SEARCH_RADIUS = 3;
const CORE = PATCH_SIDE - 2 * SEARCH_RADIUS;
/**
 * Standard deviation, pixels, of the Gaussian filter that removes sensor noise and compression. What is left, 2 % of a
 * face and coarser, survives noise and blur that make a face of 150 pixels look bad.
 */
const SMOOTHING = 1.2;
/** Pixels to each side that the filter reads: 2.5 standard deviations. The limits of `stillnessOf` were fitted with it. */
const SMOOTHING_REACH = 3;
/** Share of the standard deviation of white noise that the filter keeps: 1 / (2 √π σ). */
const NOISE_KEPT = 1 / (2 * Math.sqrt(Math.PI) * SMOOTHING);
/** Largest share of noise in the variance of a patch that is compensated. */
const MAX_NOISE_SHARE = 0.25;
/** Least area of a patch, as a share of the median one, that is not seen at a slant. */
const MIN_AREA = 0.35;

/** Added to brightness before its logarithm is taken. */
const BLACK = 8;

/** A patch of skin, filtered. */
interface Patch {
  /** Brightness, 0…255. */
  readonly lit: Float32Array;
  /** Logarithm of the brightness less a quadratic function of the place: what smooth light, multiplied to it, leaves. */
  readonly unlit: Float32Array;
  /** Mean brightness, 0…255. */
  readonly mean: number;
}

/** Skin of one frame, prepared for comparisons. */
export interface SkinDetail {
  /** For each place its patch; undefined where it is seen at a slant. */
  readonly patches: readonly (Patch | undefined)[];
  /** Standard deviation of the noise of a pixel, 0…255. */
  readonly noise: number;
}

/** One place of the skin in two frames. */
export interface PatchComparison {
  /** Index of the place. */
  readonly place: number;
  /** Correlation at the best offset, corrected for noise; −1…1. */
  readonly correlation: number;
  /** The same of the skin without the light on it. */
  readonly unlit: number;
  /** Mean brightness in both frames, 0…255. */
  readonly brightness: readonly [number, number];
}

export function skinDetailOf({ luma, areas }: SkinPatches): SkinDetail {
  const plane = PATCH_SIDE ** 2;
  const middle = [...areas].sort((a, b) => a - b)[areas.length >> 1]!;
  const patches = Array.from(areas, (area, k) =>
    area > MIN_AREA * middle ? patchOf(luma.subarray(k * plane, (k + 1) * plane)) : undefined,
  );
  return { patches, noise: skinNoise({ luma, areas }) };
}

function patchOf(luma: Uint8Array): Patch {
  const lit = gaussianBlur(Float32Array.from(luma), PATCH_SIDE, SMOOTHING, SMOOTHING_REACH);
  const mean = lit.reduce((sum, value) => sum + value, 0) / lit.length;
  return { lit, unlit: lessQuadratic(lit.map((value) => Math.log(value + BLACK))), mean };
}

/**
 * Standard deviation of the noise of the skin's pixels, 0…255: the median over the patches of the mean absolute response
 * to a Laplacian mask. J. Immerkær, "Fast noise variance estimation", 1996.
 */
export function skinNoise({ luma, areas }: SkinPatches): number {
  const plane = PATCH_SIDE ** 2;
  const each = Array.from(areas, (_, k) => patchNoise(luma.subarray(k * plane, (k + 1) * plane)));
  return each.sort((a, b) => a - b)[each.length >> 1] ?? 0;
}

function patchNoise(patch: Uint8Array): number {
  const down = PATCH_SIDE;
  let sum = 0;
  for (let y = 1; y < PATCH_SIDE - 1; y++) {
    for (let x = 1; x < PATCH_SIDE - 1; x++) {
      const i = y * down + x;
      const edges = patch[i - 1]! + patch[i + 1]! + patch[i - down]! + patch[i + down]!;
      const corners =
        patch[i - down - 1]! + patch[i - down + 1]! + patch[i + down - 1]! + patch[i + down + 1]!;
      sum += Math.abs(4 * patch[i]! - 2 * edges + corners);
    }
  }
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * (PATCH_SIDE - 2) ** 2);
}

/** Compares the places that both frames show nearly from the front. */
export function compareSkin(a: SkinDetail, b: SkinDetail): PatchComparison[] {
  return a.patches.flatMap((patch, place) => {
    const other = b.patches[place];
    if (!patch || !other) return [];
    const lit = bestMoments(patch.lit, other.lit, 1e-5);
    const noise = [a.noise * NOISE_KEPT, b.noise * NOISE_KEPT] as const;
    const unlit = bestMoments(patch.unlit, other.unlit, 1e-6);
    const relative = [noise[0] / (patch.mean + BLACK), noise[1] / (other.mean + BLACK)] as const;
    return {
      place,
      correlation: corrected(lit, noise, 1e-3),
      unlit: corrected(unlit, relative, 1e-9),
      brightness: [lit.meanA, lit.meanB],
    };
  });
}

/** Moments at the offset with the largest correlation. @param least added to the product of the standard deviations */
function bestMoments(patch: Float32Array, other: Float32Array, least: number): Moments {
  let best = momentsAt(patch, other, SEARCH_RADIUS, SEARCH_RADIUS, least);
  for (let y = 0; y <= 2 * SEARCH_RADIUS; y++) {
    for (let x = 0; x <= 2 * SEARCH_RADIUS; x++) {
      const here = momentsAt(patch, other, x, y, least);
      if (here.correlation > best.correlation) best = here;
    }
  }
  return best;
}

/** Correction for attenuation. @param noise standard deviations in both frames @param least added to the variances */
function corrected(
  { correlation, varianceA, varianceB }: Moments,
  noise: readonly [number, number],
  least: number,
): number {
  const kept = (variance: number, sigma: number) =>
    1 - Math.min(MAX_NOISE_SHARE, sigma ** 2 / (variance + least));
  return Math.min(1, correlation / Math.sqrt(kept(varianceA, noise[0]) * kept(varianceB, noise[1])));
}

/** Means, variances and correlation of the pixels of two windows. */
interface Moments {
  readonly meanA: number;
  readonly meanB: number;
  readonly varianceA: number;
  readonly varianceB: number;
  readonly correlation: number;
}

/** The centre of `a` and the window of `b` at an offset; `SEARCH_RADIUS` is its centre. */
function momentsAt(a: Float32Array, b: Float32Array, x: number, y: number, least: number): Moments {
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
  const [meanA, meanB] = [sa / n, sb / n];
  const [varianceA, varianceB] = [Math.max(0, aa / n - meanA ** 2), Math.max(0, bb / n - meanB ** 2)];
  const correlation = (ab / n - meanA * meanB) / (Math.sqrt(varianceA * varianceB) + least);
  return { meanA, meanB, varianceA, varianceB, correlation };
}
